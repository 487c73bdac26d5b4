//! Sites and edges of an instruction in LLVM's names.

use super::schema::{OperandLatency, Subject};
use crate::form::{NamedEdge, NamedSite};

impl Subject {
    /// What `sourceOperand` and `targetOperand` mean if LLVM numbers operands as the assembly does:
    /// an operand with its class of registers, what lies in memory, or a register that is implied.
    #[must_use]
    pub fn site(&self, name: &str) -> NamedSite {
        let Ok(index) = name.parse::<usize>() else {
            return NamedSite::Implicit(name.to_owned());
        };
        let operand = self.operands.get(index);
        if operand.is_some_and(|operand| operand.class == "memory") {
            return NamedSite::Memory;
        }
        let operand = operand.filter(|operand| operand.class == "register");
        NamedSite::Operand { index, class: operand.and_then(|operand| operand.name.clone()) }
    }
}

impl OperandLatency {
    /// From where to where it leads, as LLVM numbers both.
    #[must_use]
    pub fn edge(&self, subject: &Subject) -> NamedEdge {
        let site = |numbered: &Option<NamedSite>, name: &str| {
            numbered.clone().unwrap_or_else(|| subject.site(name))
        };
        NamedEdge {
            form: subject.llvm_name.clone(),
            source: site(&self.llvm_source, &self.source),
            target: site(&self.llvm_target, &self.target),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::OperandEntry;

    #[test]
    fn an_edge_has_the_names_of_its_operands_unless_llvm_numbers_them_otherwise() {
        let of = |class: &str, name: Option<&str>| OperandEntry {
            class: class.to_owned(),
            name: name.map(str::to_owned),
            ..OperandEntry::default()
        };
        let subject = Subject {
            llvm_name: "A".to_owned(),
            operands: vec![of("register", Some("GR16")), of("immediate", None), of("memory", None)],
            ..Subject::default()
        };
        let text = |source: &str, llvm_source| {
            let (source, target) = (source.to_owned(), "FLAGS".to_owned());
            let latency = OperandLatency { source, target, llvm_source, ..Default::default() };
            latency.edge(&subject).to_string()
        };
        assert_eq!(text("0", None), "A(0(Class<GR16>) -> impl(Reg<FLAGS>))");
        assert_eq!(text("1", None), "A(1 -> impl(Reg<FLAGS>))");
        assert_eq!(text("2", None), "A(memory -> impl(Reg<FLAGS>))");
        let tied = NamedSite::parse("2(Class<GR16>)");
        assert_eq!(text("0", tied), "A(2(Class<GR16>) -> impl(Reg<FLAGS>))");
    }
}
