//! Rows of a model: what each key of OSACA's stands for.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::ExportAccount;
use super::operand::{Address, Inexpressible, OperandPattern, PatternKind, Syntax};
use crate::answer::Circumstance;
use crate::database::{Database, Entry};
use crate::export::latency::{FormLatency, of_base, of_cell, of_form, through_cell};
use crate::export::printed::{Printer, Spelled};
use crate::form::{InstructionForm, MemoryAccess, Part, Role};
use crate::isa::{BranchOperand, Isa};
use crate::metadata::{Addressing, InstructionSet, RegisterId};

/// By what OSACA finds a form.
pub type Key = (String, Vec<PatternKind>);

/// Whether something is read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct RowAccess {
    /// It is read.
    pub read: bool,
    /// It is written.
    pub written: bool,
}

/// Something that is read or written and not in the text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hidden {
    /// A single flag.
    Flag(String),
    /// A register.
    Register(String),
}

/// What a key stands for.
#[derive(Debug, Clone, PartialEq)]
pub struct OsacaRow {
    /// LLVM's name of the form; none of a branch.
    pub form: Option<String>,
    /// The reciprocal throughput.
    pub throughput: f64,
    /// The latency.
    pub latency: Option<FormLatency>,
    /// From a cell of memory to itself, of what reads and writes one.
    pub cell: Option<f64>,
    /// From a register to the cell or back, of what only stores or only loads.
    pub through_cell: Option<f64>,
    /// From a base to itself, of what moves it.
    pub base: Option<f64>,
    /// What it does to memory.
    pub memory: MemoryAccess,
    /// Whether it moves as many bits as its widest register has: it broadcasts and extends nothing.
    pub is_whole: bool,
    /// Whether registers besides its address decide about the result.
    pub has_sources: bool,
    /// What becomes of each operand of the text.
    pub accesses: Vec<RowAccess>,
    /// What becomes of what is not there.
    pub hidden: BTreeMap<Hidden, RowAccess>,
    /// Whether the result depends on nothing when all operands are one register.
    pub breaks: bool,
    /// For branches: whether a place in the front end is taken.
    pub fuses: bool,
    /// Which of several counts: the smallest.
    rank: Rank,
}

/// Spelling, masking and write-back, length of the encoding, width of operands, whether they are special,
/// order.
type Rank = (u8, u8, usize, Reverse<u32>, bool, usize);

/// The rows of all forms, by key.
pub fn rows(
    database: &Database,
    forms: &BTreeMap<String, InstructionForm>,
    syntax: Syntax,
    printer: &mut Printer<'_>,
    account: &mut ExportAccount,
) -> BTreeMap<Key, OsacaRow> {
    let mut rows: HashMap<Key, OsacaRow> = HashMap::new();
    let mut written: HashSet<String> = HashSet::new();
    for (order, entry) in database.entries().enumerate() {
        let name = entry.subject.llvm_name.clone();
        let Some(throughput) =
            entry.throughput.value.or(entry.throughput.max).filter(|it| it.is_finite())
        else {
            continue;
        };
        account.forms += 1;
        let Some(form) = forms.get(&name) else {
            account.losses.leave_out("LLVM has no form of that name", &name);
            continue;
        };
        if entry.subject.alias.is_some() {
            account.covered += 1;
            continue;
        }
        let described = DescribedForm { entry: &entry, form, throughput, order };
        if let Err(reason) = described.add_to(&mut rows, syntax, printer) {
            account.losses.leave_out(reason, &name);
            continue;
        }
        written.insert(name);
    }
    for (key, row) in branches(printer.isa) {
        rows.entry(key).or_insert(row);
    }
    let rows: BTreeMap<Key, OsacaRow> = rows.into_iter().collect();
    let kept: HashSet<&String> = rows.values().filter_map(|row| row.form.as_ref()).collect();
    account.covered += written.iter().filter(|name| !kept.contains(name)).count();
    rows
}

/// A form with what is known of it.
struct DescribedForm<'a> {
    entry: &'a Entry,
    form: &'a InstructionForm,
    throughput: f64,
    order: usize,
}

impl DescribedForm<'_> {
    /// Puts all spellings in.
    fn add_to(
        &self,
        rows: &mut HashMap<Key, OsacaRow>,
        syntax: Syntax,
        printer: &mut Printer<'_>,
    ) -> Result<(), Inexpressible> {
        let spellings = printer.spellings(self.form);
        let mut outcome = Err(Inexpressible::Unprinted);
        for spelled in &spellings {
            match syntax.patterns(spelled) {
                Ok(patterns) => {
                    self.add_spelling(rows, spelled, patterns, printer.isa, printer.set);
                    outcome = Ok(());
                }
                Err(reason) if outcome.is_err() => outcome = Err(reason),
                Err(_) => {}
            }
        }
        outcome
    }

    fn add_spelling(
        &self,
        rows: &mut HashMap<Key, OsacaRow>,
        spelled: &Spelled,
        mut patterns: Vec<OperandPattern>,
        isa: &dyn Isa,
        set: &InstructionSet,
    ) {
        self.name_address(&mut patterns, set);
        let row = self.row(spelled, &patterns, isa, set);
        let kinds: Vec<PatternKind> = patterns.into_iter().map(|pattern| pattern.kind).collect();
        for (address, variant) in self.computed_addresses(&row) {
            add(rows, spelled, &at_address(&kinds, address), &variant, isa);
        }
        if set.addressing(self.form.opcode).is_none() {
            // Where nothing is known of plainer addresses it stands for those, too.
            add(rows, spelled, &at_address(&kinds, Address::Any), &row, isa);
        }
        add(rows, spelled, &kinds, &row, isa);
    }

    /// What computes an address and accesses nothing there, for addresses of parts that take longer.
    fn computed_addresses(&self, row: &OsacaRow) -> Vec<(Address, OsacaRow)> {
        const SLOWER: [(Address, &str); 2] =
            [(Address::ScaledIndex, "index * 8"), (Address::IndexDisplacement, "displacement")];
        if self.form.memory != MemoryAccess::None {
            return Vec::new();
        }
        let named = |name: &str| Circumstance::Values(name.to_owned());
        let with = |&(address, name): &(Address, &str)| {
            let latencies = self.entry.latency.operands.iter().flat_map(|edge| &edge.variants);
            let latencies = latencies.filter(|it| it.variant == named(name));
            let cycles = latencies.filter_map(|it| it.latency).reduce(f64::max);
            let variants = &self.entry.throughput.variants;
            let throughput = variants.iter().find(|it| it.variant == named(name));
            let throughput = throughput.and_then(|it| it.throughput);
            let own = cycles.map(|cycles| FormLatency { cycles, is_one_of_several: false });
            let is_told = own.is_some() || throughput.is_some();
            let throughput = throughput.unwrap_or(row.throughput);
            is_told.then(|| {
                (address, OsacaRow { latency: own.or(row.latency), throughput, ..row.clone() })
            })
        };
        SLOWER.iter().filter_map(with).collect()
    }

    /// Of which parts the address of an addressing mode's form is made.
    fn name_address(&self, patterns: &mut [OperandPattern], set: &InstructionSet) {
        let address = match set.addressing(self.form.opcode) {
            None => return,
            // (For OSACA the instruction pointer is a base like others, and no base like any.)
            Some(
                Addressing::Displacement | Addressing::InstructionPointer | Addressing::Absolute,
            ) => Address::Base,
            Some(Addressing::Index) => Address::Index,
            Some(Addressing::ScaledIndex | Addressing::ScaledIndexDisplacement) => {
                Address::ScaledIndex
            }
        };
        for pattern in patterns {
            if let PatternKind::Memory(own) = &mut pattern.kind {
                *own = address;
            }
        }
    }

    fn row(
        &self,
        spelled: &Spelled,
        patterns: &[OperandPattern],
        isa: &dyn Isa,
        set: &InstructionSet,
    ) -> OsacaRow {
        let (form, entry) = (self.form, self.entry);
        let masked = spelled.operands.iter().map(|operand| masking(&operand.text)).max();
        // Of one key the plain access counts, whose base stays as it is and has no index.
        let mut written = form.operands.iter().enumerate().filter(|(_, operand)| operand.write);
        let writes_back = written.any(|(index, _)| form.part_held(index).is_some());
        let has_index = patterns.iter().any(|pattern| {
            matches!(pattern.kind, PatternKind::Memory(Address::Index | Address::HalfIndex))
        });
        let parts = 6 * u8::from(writes_back) + 3 * u8::from(has_index);
        let masked = masked.map(|masked| masked + parts);
        let data = form.operands.iter().enumerate().filter(|(_, it)| it.address.is_none());
        let width = data.filter_map(|(index, _)| Some(set.class(form.class_of(index)?).bits)).max();
        let mut hidden = hidden(form, spelled, isa, set);
        let accesses: Vec<RowAccess> =
            patterns.iter().map(|pattern| self.access(pattern, &mut hidden)).collect();
        let latency = of_form(entry, form, isa);
        let has_sources = form.operands.iter().any(|operand| {
            operand.read
                && operand.address.is_none()
                && matches!(operand.kind, crate::form::Placeholder::Register(_))
        }) || hidden
            .iter()
            .any(|(what, access)| access.read && matches!(what, Hidden::Register(_)));
        let width_rank = Reverse(width.unwrap_or(0));
        let special = spelled.is_special;
        let rank = (0, masked.unwrap_or(0), form.length, width_rank, special, self.order);
        OsacaRow {
            form: Some(entry.subject.llvm_name.clone()),
            throughput: self.throughput,
            latency,
            cell: of_cell(entry),
            through_cell: through_cell(entry, form.memory == MemoryAccess::Store),
            base: of_base(entry, form),
            memory: form.memory,
            is_whole: form.access_bits > 0 && width == Some(form.access_bits),
            has_sources,
            accesses,
            hidden,
            breaks: breaks(entry, latency),
            fuses: false,
            rank,
        }
    }

    /// What becomes of an operand of the text. A register that LLVM does not list is taken from what is
    /// hidden.
    fn access(
        &self,
        pattern: &OperandPattern,
        hidden: &mut BTreeMap<Hidden, RowAccess>,
    ) -> RowAccess {
        let form = self.form;
        if let PatternKind::Memory(_) = pattern.kind {
            return RowAccess {
                read: form.memory != MemoryAccess::Store,
                written: matches!(form.memory, MemoryAccess::Store | MemoryAccess::Both),
            };
        }
        if let (true, Some(register)) = (pattern.sites.is_empty(), &pattern.register)
            && let Some(access) = hidden.remove(&Hidden::Register(register.clone()))
        {
            return access;
        }
        let at = |role: fn(&crate::form::Operand) -> bool| {
            pattern.sites.iter().any(|&site| role(&form.operands[site]))
        };
        let access = RowAccess { read: at(|it| it.read), written: at(|it| it.write) };
        if access == RowAccess::default() {
            RowAccess { read: true, written: false }
        } else {
            access
        }
    }
}

/// Operands with another address.
pub fn at_address(kinds: &[PatternKind], address: Address) -> Vec<PatternKind> {
    let kind = |kind: &PatternKind| match kind {
        PatternKind::Memory(_) => PatternKind::Memory(address),
        kind => kind.clone(),
    };
    kinds.iter().map(kind).collect()
}

/// Puts a row in under all mnemonics of a spelling, unless one that counts before it is there.
fn add(
    rows: &mut HashMap<Key, OsacaRow>,
    spelled: &Spelled,
    kinds: &[PatternKind],
    row: &OsacaRow,
    isa: &dyn Isa,
) {
    let others = isa.other_mnemonics(&spelled.mnemonic);
    let vendor = spelled.vendor.iter().cloned();
    let spoken = std::iter::once((0, spelled.mnemonic.clone()))
        .chain(others.into_iter().map(|name| (1, name)))
        .chain(vendor.map(|name| (2, name)));
    for (spelling, mnemonic) in spoken {
        let mut row = row.clone();
        row.rank.0 = spelling;
        let key = (mnemonic, kinds.to_vec());
        match rows.get(&key) {
            Some(known) if known.rank <= row.rank => {}
            _ => {
                rows.insert(key, row);
            }
        }
    }
}

/// 0 of an operand without a mask, 1 of one whose rest stays, 2 of one whose rest becomes zero.
fn masking(text: &str) -> u8 {
    match (text.contains("{%k"), text.contains("{z}")) {
        (false, _) => 0,
        (true, false) => 1,
        (true, true) => 2,
    }
}

/// What a form reads and writes unnamed.
fn hidden(
    form: &InstructionForm,
    spelled: &Spelled,
    isa: &dyn Isa,
    set: &InstructionSet,
) -> BTreeMap<Hidden, RowAccess> {
    let mut hidden: BTreeMap<Hidden, RowAccess> = BTreeMap::new();
    let mut add = |register: RegisterId, role: Role| {
        let name = &set.register(register).name;
        let flags = isa.flags(name);
        let registers = isa.unnamed(name).map(Hidden::Register);
        let parts = if flags.is_empty() {
            Vec::new()
        } else {
            isa.parts(set, form, &spelled.instance, register, role)
        };
        let single: Vec<usize> = parts
            .iter()
            .filter_map(|part| match part {
                Part::Flag(number) => Some(usize::from(*number)),
                _ => None,
            })
            .collect();
        let all = single.is_empty() && !parts.is_empty();
        let flags = flags.iter().enumerate().filter(|(at, _)| all || single.contains(at));
        let flags = flags.map(|(_, &flag)| Hidden::Flag(flag.to_owned()));
        for what in flags.chain(registers) {
            let access = hidden.entry(what).or_default();
            access.read |= role == Role::Use;
            access.written |= role == Role::Def;
        }
    };
    form.implicit_uses.iter().for_each(|&register| add(register, Role::Use));
    form.implicit_defs.iter().for_each(|&register| add(register, Role::Def));
    hidden
}

/// Whether what a form computes of one register everywhere depends on nothing: its chain through
/// that takes no time, and through others does.
fn breaks(entry: &Entry, latency: Option<FormLatency>) -> bool {
    let zero = |edge: &crate::database::OperandLatency| {
        edge.variants
            .iter()
            .any(|it| it.variant == Circumstance::OneRegister && it.latency == Some(0.0))
    };
    latency.is_some_and(|latency| latency.cycles > 0.0) && entry.latency.operands.iter().any(zero)
}

/// Branches, which no kernel measures by themselves.
fn branches(isa: &dyn Isa) -> Vec<(Key, OsacaRow)> {
    let mut rows = Vec::new();
    for branch in isa.branches() {
        let kind = |operand: &BranchOperand| match operand {
            BranchOperand::Register(prefix) => PatternKind::Register((*prefix).to_owned(), None),
            BranchOperand::Number => PatternKind::Integer,
            BranchOperand::Label => PatternKind::Identifier,
        };
        let flags = branch.reads.map_or(&[][..], |register| isa.flags(register));
        let read = RowAccess { read: true, written: false };
        let row = OsacaRow {
            form: None,
            throughput: 1.0,
            latency: Some(FormLatency { cycles: 0.0, is_one_of_several: false }),
            cell: None,
            through_cell: None,
            base: None,
            memory: MemoryAccess::None,
            is_whole: false,
            has_sources: true,
            accesses: vec![read; branch.operands.len()],
            hidden: flags.iter().map(|&flag| (Hidden::Flag(flag.to_owned()), read)).collect(),
            breaks: false,
            fuses: branch.fuses,
            rank: Rank::default(),
        };
        for mnemonic in branch.mnemonics {
            let kinds = branch.operands.iter().map(kind).collect();
            rows.push(((mnemonic, kinds), row.clone()));
        }
    }
    rows
}
