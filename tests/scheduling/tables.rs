//! What llvm-tblgen made of a scheduling model, read back from the C++ that it writes.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The micro-operations of a class that a model has nothing of.
const UNSUPPORTED: u32 = 8191;

/// The tables of one processor.
pub struct Tables {
    /// Opcodes by name.
    opcodes: HashMap<String, Opcode>,
    /// Classes by number.
    classes: Vec<ClassRow>,
    /// Resources by number: names, and the ports in each.
    pub resources: Vec<(String, BTreeSet<String>)>,
    /// How many units each is said to have.
    units: HashMap<String, i64>,
    latencies: Vec<Vec<i64>>,
    uses: Vec<Vec<i64>>,
    advances: Vec<Vec<i64>>,
    /// The fields of the model that are numbers, by the name that stands behind them.
    pub fields: BTreeMap<String, i64>,
}

/// An opcode as `-gen-instr-info` has it.
#[derive(Debug, Clone, Copy)]
pub struct Opcode {
    /// Explicit operands.
    pub operands: usize,
    /// Those of them that are results.
    pub definitions: usize,
    class: usize,
    implicit_uses: usize,
    implicit_defs: usize,
}

impl Opcode {
    /// Results, the implied ones among them.
    pub fn results(&self) -> usize {
        self.definitions + self.implicit_defs
    }

    /// Sources, likewise, numbers among them.
    pub fn sources(&self) -> usize {
        self.operands - self.definitions + self.implicit_uses
    }
}

/// A row of the classes.
struct ClassRow {
    micro_operations: u32,
    uses: std::ops::Range<usize>,
    latencies: std::ops::Range<usize>,
    advances: std::ops::Range<usize>,
}

/// What a processor takes for an opcode.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scheduled {
    pub micro_operations: u32,
    /// Of each write.
    pub latencies: Vec<i64>,
    /// What advances know each write by; 0 for those that none names.
    pub writes: Vec<i64>,
    /// By source, behind any write; 0 is left out.
    pub advances: BTreeMap<usize, i64>,
    /// By source and write, behind that write alone.
    pub advances_behind: BTreeMap<(usize, i64), i64>,
    /// Cycles by resource.
    pub uses: BTreeMap<String, i64>,
}

impl Tables {
    /// Of the texts of `-gen-subtarget` and `-gen-instr-info`, of a model.
    pub fn parse(subtarget: &str, instructions: &str, model: &str) -> Self {
        let table = |name: &str| -> Vec<Vec<i64>> {
            rows(subtarget, &format!("{name}[] = {{")).map(numbers).collect()
        };
        let target = table_prefix(subtarget);
        let subunits = subunits(subtarget, model);
        let all = format!("{model}ProcResources[] = {{");
        let resources = rows(subtarget, &all)
            .map(|row| {
                let name = row.split('"').nth(1).expect("a name").to_owned();
                let ports = subunits.get(&name).cloned();
                (name.clone(), ports.unwrap_or_default())
            })
            .collect::<Vec<(String, Vec<usize>)>>();
        let units = rows(subtarget, &all).filter_map(|row| {
            let (name, rest) = row.split_once('"')?.1.split_once('"')?;
            Some((name.to_owned(), *numbers(rest).first()?))
        });
        let name_of = |at: &usize| resources[*at].0.clone();
        let resources = resources
            .iter()
            .map(|(name, ports)| {
                let mut members: BTreeSet<String> = ports.iter().map(name_of).collect();
                if members.is_empty() {
                    members.insert(name.clone());
                }
                (name.clone(), members)
            })
            .collect();
        Self {
            opcodes: opcodes(instructions),
            classes: rows(subtarget, &format!("{model}SchedClasses[] = {{")).map(class).collect(),
            resources,
            units: units.collect(),
            latencies: table(&format!("{target}WriteLatencyTable")),
            uses: table(&format!("{target}WriteProcResTable")),
            advances: table(&format!("{target}ReadAdvanceTable")),
            fields: fields(subtarget, model),
        }
    }

    /// An opcode.
    pub fn opcode(&self, name: &str) -> Option<Opcode> {
        self.opcodes.get(name).copied()
    }

    /// All opcodes that the processor knows.
    pub fn supported(&self) -> BTreeSet<&str> {
        let known = self.opcodes.iter().filter(|(_, it)| {
            let row = &self.classes[it.class];
            it.class != 0 && row.micro_operations != UNSUPPORTED
        });
        known.map(|(name, _)| name.as_str()).collect()
    }

    /// What an opcode takes; none where the processor has nothing of it.
    pub fn scheduled(&self, name: &str) -> Option<Scheduled> {
        let row = &self.classes[self.opcode(name)?.class];
        if row.micro_operations == UNSUPPORTED {
            return None;
        }
        // (An entry of the advances: the source, the write that it is behind, 0 for any, the cycles.)
        let advances = self.advances[row.advances.clone()].iter().filter(|it| it[2] != 0);
        let (behind_any, behind_one): (Vec<_>, Vec<_>) = advances.partition(|it| it[1] == 0);
        let latencies = &self.latencies[row.latencies.clone()];
        let uses = self.uses[row.uses.clone()].iter();
        Some(Scheduled {
            micro_operations: row.micro_operations,
            latencies: latencies.iter().map(|it| it[0]).collect(),
            writes: latencies.iter().map(|it| it[1]).collect(),
            advances: behind_any.iter().map(|it| (it[0] as usize, it[2])).collect(),
            advances_behind: behind_one.iter().map(|it| ((it[0] as usize, it[1]), it[2])).collect(),
            uses: uses.map(|it| (self.resources[it[0] as usize].0.clone(), it[1])).collect(),
        })
    }

    /// How many units a resource is made of.
    pub fn units_of(&self, resource: &str) -> i64 {
        *self.units.get(resource).unwrap_or_else(|| panic!("{resource} has no units"))
    }

    /// How many ports a resource has.
    pub fn units(&self, resource: &str) -> usize {
        let found = self.resources.iter().find(|(name, _)| name == resource);
        found.map_or(0, |(_, ports)| ports.len())
    }
}

/// The lines of a table's rows.
fn rows<'a>(text: &'a str, head: &str) -> impl Iterator<Item = &'a str> {
    let start = text.find(head).unwrap_or_else(|| panic!("no {head}"));
    let body = text[start..].lines().skip(1).take_while(|line| !line.starts_with("};"));
    body.filter(|line| line.trim_start().starts_with('{'))
}

/// The numbers of a row, without what its comments and names say.
fn numbers(row: &str) -> Vec<i64> {
    let row = row.split("//").next().unwrap_or_default();
    let words = row.split(|letter: char| !letter.is_ascii_digit() && letter != '-');
    words.filter_map(|word| word.parse().ok()).collect()
}

/// What tables that all processors share begin with.
fn table_prefix(text: &str) -> &str {
    let end = text.find("WriteLatencyTable[] = {").expect("a table of latencies");
    let start = text[..end].rfind(' ').map_or(0, |space| space + 1);
    &text[start..end]
}

fn class(row: &str) -> ClassRow {
    // (Behind the name, which is a number or a comment with one.)
    let rest = row.split_once("DBGFIELD(").and_then(|(_, rest)| rest.split_once(')'));
    let row = numbers(rest.map_or(row, |(_, rest)| rest));
    let range = |at: usize| row[at] as usize..(row[at] + row[at + 1]) as usize;
    ClassRow {
        micro_operations: row[0] as u32,
        uses: range(1),
        latencies: range(3),
        advances: range(5),
    }
}

fn opcodes(text: &str) -> HashMap<String, Opcode> {
    let start = text.find("InstrTable ").expect("a table of instructions");
    let start = start + text[start..].find("Descs = {").expect("its rows");
    let body = text[start..].lines().skip(2).take_while(|line| line.trim_start().starts_with('{'));
    body.map(|line| {
        let name = line.rsplit("// ").next().expect("a name").trim().to_owned();
        let row: Vec<usize> =
            numbers(line).into_iter().take(7).map(|number| number as usize).collect();
        let opcode = Opcode {
            operands: row[1],
            definitions: row[2],
            class: row[4],
            implicit_uses: row[5],
            implicit_defs: row[6],
        };
        (name, opcode)
    })
    .collect()
}

/// Of groups, their members' numbers.
fn subunits(text: &str, model: &str) -> HashMap<String, Vec<usize>> {
    let Some(start) = text.find(&format!("{model}ProcResourceSubUnits[] = {{")) else {
        return HashMap::new();
    };
    let body = text[start..].lines().skip(1).take_while(|line| !line.starts_with("};"));
    let groups = body.filter_map(|line| {
        let name = line.split_once("// ")?.1.trim().to_owned();
        Some((name, numbers(line).into_iter().map(|number| number as usize).collect()))
    });
    groups.collect()
}

fn fields(text: &str, model: &str) -> BTreeMap<String, i64> {
    let head = format!("llvm::MCSchedModel {model} = {{");
    let start = text.find(&head).unwrap_or_else(|| panic!("no {head}"));
    let body = text[start..].lines().skip(1).take_while(|line| !line.starts_with("};"));
    let fields = body.filter_map(|line| {
        let (value, name) = line.split_once("// ")?;
        Some((name.trim().to_owned(), value.trim().trim_end_matches(',').parse().ok()?))
    });
    fields.collect()
}
