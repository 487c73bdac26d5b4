//! A table of words before LLVM: one codec for both, all the way into a shared object.
#![cfg(feature = "llvm")]

use std::collections::HashSet;
use std::sync::Arc;

use object::{Object as _, ObjectSection as _, ObjectSymbol as _};
use winic::artifact::{Artifact, KernelFunctions, KernelId, Needs, Purpose, ReferenceFunction};
use winic::assemble::{Linker, assemble};
use winic::catalogue::Catalogue;
use winic::codec::{Assembler, CodeError, Codec, Extended, WordTable};
use winic::isa::{Isa, extensions, for_architecture};
use winic::kernel::{Audience, Kernel, Slot, render};
use winic::llvm::{Llvm, TargetChoice};
use winic::metadata::{Instruction, OperandValue};

const AMX: &str = include_str!("../reference/aarch64-amx.tsv");

/// A core with AMX: LLVM's opcodes and the table's.
struct Core {
    codec: Extended<Llvm>,
    catalogue: Catalogue,
}

impl Core {
    fn new() -> Self {
        let choice = TargetChoice {
            triple: "aarch64-unknown-linux-gnu".into(),
            cpu: "apple-m1".into(),
            features: String::new(),
        };
        let base = Llvm::with_extensions(choice, extensions("aarch64")).unwrap();
        let mut set = base.instruction_set();
        let isa: Arc<dyn Isa> =
            Arc::from(for_architecture(&set, |feature| base.has_feature(feature)).unwrap());
        isa.complete(&mut set);
        let table = WordTable::read(AMX, &mut set).unwrap();
        let catalogue = Catalogue::new(Arc::new(set), isa, [], &HashSet::new());
        Self { codec: Extended { table, base }, catalogue }
    }

    fn register(&self, name: &str) -> OperandValue {
        OperandValue::Register(self.catalogue.set.register_by_name(name).unwrap())
    }

    fn instruction(&self, name: &str, operands: &[OperandValue]) -> Instruction {
        let opcode = self.catalogue.set.by_name(name).unwrap();
        Instruction { opcode, operands: operands.to_vec() }
    }

    /// LLVM's `ADDXrr` is a pseudo instruction; this is the one that it stands for.
    fn add(&self, registers: &[OperandValue]) -> Instruction {
        self.instruction("ADDXrs", &[registers, &[OperandValue::Immediate(0)]].concat())
    }

    /// Three words of AMX's and one instruction of LLVM's.
    fn mixture(&self) -> Vec<Instruction> {
        vec![
            self.instruction("AMX_LDX", &[self.register("X3")]),
            self.instruction("AMX_FMA32", &[self.register("X4")]),
            self.add(&["X5", "X6", "X7"].map(|name| self.register(name))),
            self.instruction("AMX_STZ", &[self.register("LR")]),
        ]
    }

    fn kernel(&self) -> Kernel {
        let loop_control = self.catalogue.isa.loop_controls(&self.catalogue.set).remove(0);
        let body = self.mixture().into_iter().map(Slot::Instruction).collect();
        Kernel {
            body,
            values: Vec::new(),
            contents: None,
            low: false,
            passes_memory: false,
            crosses_encodings: false,
            padded: false,
            walk: None,
            cores: 1,
            loop_control,
            instances: 1,
        }
    }

    /// The kernel in a shared object.
    fn artifact(&mut self, audience: Audience) -> Artifact {
        let kernel = self.kernel();
        let (catalogue, purpose) = (&self.catalogue, Purpose::Probe);
        let rendered = render(&kernel, "k", catalogue, &mut self.codec, purpose, audience).unwrap();
        let functions = KernelFunctions {
            id: KernelId(0),
            purpose,
            init: rendered.init,
            single: rendered.single,
            double: rendered.double,
            alone: true,
            needs: Needs::default(),
        };
        let chain = catalogue.isa.references()[0];
        let reference = ReferenceFunction {
            symbol: chain.symbol.to_owned(),
            cycles_per_iteration: chain.instructions,
        };
        let linker = Linker::find().unwrap();
        let assembler: &dyn Assembler = &self.codec;
        assemble(&[rendered.text], vec![functions], reference, &*catalogue.isa, assembler, &linker)
            .unwrap()
    }
}

/// The code of a shared object from a function on.
fn code_from(image: &[u8], symbol: &str) -> Vec<u8> {
    let file = object::File::parse(image).unwrap();
    let symbol = file.dynamic_symbols().find(|known| known.name() == Ok(symbol)).unwrap();
    let text = file.section_by_index(symbol.section_index().unwrap()).unwrap();
    text.data().unwrap()[(symbol.address() - text.address()) as usize..].to_vec()
}

#[test]
fn a_kernel_of_both_comes_out_of_the_linker_as_it_was() {
    let mut core = Core::new();
    let artifact = core.artifact(Audience::Assembler);
    let code = code_from(&artifact.image, &artifact.kernels[0].single);
    let mixture = core.mixture();
    let body: Vec<Instruction> = code
        .chunks_exact(4)
        .map_while(|word| core.codec.decode(word).ok())
        .map(|(instruction, _)| instruction)
        .skip_while(|instruction| instruction.opcode != mixture[0].opcode)
        .take(4)
        .collect();
    assert_eq!(body, mixture);
    let words: Vec<u8> = [0x0020_1003_u32, 0x0020_1184, 0x8b07_00c5, 0x0020_10be]
        .into_iter()
        .flat_map(u32::to_le_bytes)
        .collect();
    assert!(code.windows(words.len()).any(|window| window == words));
    assert!(artifact.image == core.artifact(Audience::Person).image, "a person's text is the same");
}

#[test]
fn a_person_reads_both() {
    let mut core = Core::new();
    let kernel = core.kernel();
    let Core { codec, catalogue } = &mut core;
    let text = render(&kernel, "k", catalogue, codec, Purpose::Probe, Audience::Person);
    let text = text.unwrap().text;
    let lines = [
        "        .byte 0x03, 0x10, 0x20, 0x00  /* ldx x3 */\n",
        "        .byte 0x84, 0x11, 0x20, 0x00  /* fma32 x4 */\n",
        "        add x5, x6, x7\n",
        "        .byte 0xbe, 0x10, 0x20, 0x00  /* stz lr */\n",
    ];
    assert!(text.contains(&lines.concat()), "{text}");
}

#[test]
fn llvm_knows_no_word_of_the_table_and_numbers_registers_alike() {
    let mut core = Core::new();
    let set = Arc::clone(&core.catalogue.set);
    let (_, class) = set.class_by_name("GPR64").unwrap();
    assert_eq!(class.registers.len(), 32);
    let opcodes: Vec<_> = core.codec.table.opcodes().collect();
    for opcode in opcodes {
        let operands: Vec<Vec<OperandValue>> = match set.opcode(opcode).operands.is_empty() {
            true => vec![Vec::new()],
            false => class.registers.iter().map(|&id| vec![OperandValue::Register(id)]).collect(),
        };
        for operands in operands {
            let instruction = Instruction { opcode, operands };
            let bytes = core.codec.encode(&instruction).unwrap();
            assert_eq!(core.codec.decode(&bytes), Ok((instruction.clone(), 4)));
            assert_eq!(core.codec.base.decode(&bytes), Err(CodeError::NotDecoded));
            let Some(&register) = instruction.operands.first() else { continue };
            let add = core.add(&[register; 3]);
            let number = core.codec.encode(&add).unwrap()[0] & 31;
            assert_eq!(bytes[0] & 31, number, "{}", core.codec.print(&instruction).unwrap());
        }
    }
}

#[test]
fn errors_are_those_of_whoever_was_asked() {
    let mut core = Core::new();
    let wrong = core.instruction("AMX_LDX", &[]);
    assert_eq!(core.codec.encode(&wrong), Err(CodeError::WrongOperands));
    let wrong = core.instruction("ADDXrs", &[]);
    assert_eq!(core.codec.encode(&wrong), Err(CodeError::WrongOperands));
    assert_eq!(core.codec.decode(&[0; 2]), Err(CodeError::NotDecoded));
    assert!(core.codec.assemble("ldx x3\n").unwrap_err().reason.contains("instruction"));
}
