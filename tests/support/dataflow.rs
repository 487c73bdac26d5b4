//! When do the instructions of a loop get their operands? A simulation of nothing but
//! dependences, which knows nothing of how kernels are built: what each instruction reads and
//! writes is looked up on the finished instruction, the loop's own instructions included, and
//! time passes only from a use to a definition.

use std::collections::HashMap;

use winic::catalogue::Catalogue;
use winic::form::{Edge, InstructionForm, Part, Role, Site};
use winic::kernel::Kernel;
use winic::metadata::{Instruction, InstructionSet, RegisterId};

/// One instruction: what it waits for and what it makes ready.
pub struct Step {
    /// Where it reads, and which parts.
    pub reads: Vec<(Source, Vec<usize>)>,
    /// Where it writes, and which parts.
    pub writes: Vec<(Source, Vec<usize>)>,
    /// Position among the kernel's instructions; none for the loop's own.
    pub number: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    Site(Site),
    /// The rest of a register of which the instruction writes only a part.
    Rest,
}

/// A loop as a list of steps over numbered parts.
pub struct Loop {
    steps: Vec<Step>,
    parts: usize,
}

#[derive(Default)]
struct Numbers(HashMap<Part, usize>);

impl Numbers {
    fn of(&mut self, parts: impl IntoIterator<Item = Part>) -> Vec<usize> {
        parts
            .into_iter()
            .map(|part| {
                let next = self.0.len();
                *self.0.entry(part).or_insert(next)
            })
            .collect()
    }
}

const ITERATIONS: usize = 12;
const SETTLED: usize = 6;

impl Loop {
    /// The loop of a kernel.
    pub fn of(kernel: &Kernel, catalogue: &Catalogue) -> Self {
        let mut numbers = Numbers::default();
        let mut pushed = 0;
        let mut steps: Vec<Step> = kernel
            .instructions()
            .enumerate()
            .map(|(number, instruction)| {
                let form =
                    catalogue.form(instruction.opcode).expect("every instruction has a form");
                let companions = catalogue.isa.companions(form);
                // A push goes by the new names where it writes, a pop by the old ones.
                let pushes = companions.after.len();
                let stacks = (pushed, pushed + pushes);
                pushed = pushed + pushes - companions.before.len();
                step(number, form, instruction, catalogue, stacks, &mut numbers)
            })
            .collect();
        assert_eq!(pushed, 0, "what is pushed is popped");
        steps.extend(control(kernel, catalogue, &mut numbers));
        Self { steps, parts: numbers.0.len() }
    }

    /// Cycles an iteration takes in the long run, times the number of iterations it is
    /// averaged over, when `latency` tells what each instruction takes from a use to a definition.
    pub fn growth(&self, latency: impl Fn(&Step, Source, Source) -> i64) -> (i64, i64) {
        let mut ready = vec![0_i64; self.parts];
        let mut after = Vec::new();
        let mut changes: Vec<(usize, i64)> = Vec::new();
        for _ in 0..ITERATIONS {
            for step in &self.steps {
                changes.clear();
                for (target, parts) in &step.writes {
                    let when = step
                        .reads
                        .iter()
                        .flat_map(|(source, read)| {
                            let takes = latency(step, *source, *target);
                            read.iter().map(move |&part| (part, takes))
                        })
                        .map(|(part, takes)| ready[part] + takes)
                        .max()
                        .unwrap_or(0);
                    changes.extend(parts.iter().map(|&part| (part, when)));
                }
                for &(part, when) in &changes {
                    ready[part] = when;
                }
            }
            after.push(ready.iter().copied().max().unwrap_or(0));
        }
        (after[ITERATIONS - 1] - after[SETTLED - 1], (ITERATIONS - SETTLED) as i64)
    }
}

fn step(
    number: usize,
    form: &InstructionForm,
    instruction: &Instruction,
    catalogue: &Catalogue,
    (pushed_before, pushed_after): (usize, usize),
    numbers: &mut Numbers,
) -> Step {
    let set = &catalogue.set;
    let parts = |register: RegisterId, role| {
        let pushed = if role == Role::Use { pushed_before } else { pushed_after };
        catalogue.isa.parts(set, form, instruction, on_stack(set, register, pushed), role)
    };
    let register =
        |site: Site| form.register_at(site, instruction).expect("a register stands there");
    let mut reads: Vec<(Source, Vec<usize>)> = form
        .uses()
        .map(|site| (Source::Site(site), numbers.of(parts(register(site), Role::Use))))
        .collect();
    let writes: Vec<(Source, Vec<usize>)> = form
        .defs()
        .map(|site| {
            let mut written = parts(register(site), Role::Def);
            // What the manual leaves undefined is written like anything else.
            written.extend(parts(register(site), Role::Undefined));
            (Source::Site(site), numbers.of(written))
        })
        .collect();
    let general = set.classes.iter().find(|class| class.name == merging(catalogue));
    let general = general.map_or(&[][..], |class| class.registers.as_slice());
    // Cores merge what is written into 8 or 16 bits with the rest of the register.
    let whole: Vec<Part> = form
        .defs()
        .map(register)
        .filter_map(|register| general.iter().find(|&&whole| set.overlap(whole, register)))
        .flat_map(|&whole| set.register(whole).units.iter().map(|&unit| Part::Unit(unit)))
        .collect();
    let whole = numbers.of(whole);
    let named: Vec<usize> = writes.iter().flat_map(|(_, parts)| parts.iter().copied()).collect();
    if whole.iter().any(|part| !named.contains(part)) {
        reads.push((Source::Rest, whole));
    }
    Step { reads, writes, number: Some(number) }
}

/// The number of registers on the x87 stack.
const STACK: usize = 8;

/// What a register of the x87 stack was called before so many others were pushed; any other
/// register itself.
fn on_stack(set: &InstructionSet, register: RegisterId, pushed: usize) -> RegisterId {
    let number = set.register(register).name.strip_prefix("ST").map(str::parse::<usize>);
    match number {
        Some(Ok(number)) => set
            .register_by_name(&format!("ST{}", (number + STACK - pushed) % STACK))
            .expect("a register of the stack"),
        _ => register,
    }
}

/// The class of the registers that are merged when a part of them is written; empty where
/// nothing is.
fn merging(catalogue: &Catalogue) -> &'static str {
    match catalogue.isa.architecture() {
        "x86_64" => "GR64",
        "aarch64" | "riscv64" => "",
        other => panic!("an architecture of which this test knows nothing: {other}"),
    }
}

/// The loop's own instructions, as they stand in `templates/`: registers read, registers
/// written, flags written.
type Own = (&'static [&'static str], &'static [&'static str], std::ops::Range<u8>);

fn control(kernel: &Kernel, catalogue: &Catalogue, numbers: &mut Numbers) -> Vec<Step> {
    const NONE: std::ops::Range<u8> = 0..0;
    let own: &[Own] = match (catalogue.isa.architecture(), kernel.loop_control.name) {
        ("x86_64", "count") => &[(&["R15"], &["R15"], 1..6)],
        ("x86_64", "flagless") => &[(&["R15"], &["R15"], NONE), (&["R15"], &["RCX"], NONE)],
        ("x86_64", "flagless_rcx") => {
            &[(&["R15"], &["R15"], NONE), (&["R15"], &["RCX"], NONE), (&["R14"], &["RCX"], NONE)]
        }
        ("aarch64", "count") => &[(&["X28"], &["X28", "NZCV"], NONE)],
        ("aarch64", "flagless") => &[(&["X28"], &["X28"], NONE)],
        ("riscv64", "count") => &[(&["X27"], &["X27"], NONE)],
        other => panic!("a loop of which this test knows nothing: {other:?}"),
    };
    let site = Source::Site(Site::Operand(0));
    let units = |names: &[&str]| -> Vec<Part> {
        let register =
            |name: &&str| catalogue.set.register_by_name(name).expect("a register of the ISA");
        names
            .iter()
            .flat_map(|name| catalogue.set.register(register(name)).units.clone())
            .map(Part::Unit)
            .collect()
    };
    own.iter()
        .map(|(reads, writes, flags)| {
            let mut written = units(writes);
            written.extend(flags.clone().map(Part::Flag));
            Step {
                reads: vec![(site, numbers.of(units(reads)))],
                writes: vec![(site, numbers.of(written))],
                number: None,
            }
        })
        .collect()
}

/// The latency function in which the given edges (by position in the body) take `on`, all
/// others `off`.
pub fn only<'a>(
    edges: &'a [Option<Edge>],
    on: i64,
    off: i64,
) -> impl Fn(&Step, Source, Source) -> i64 + 'a {
    move |step, source, target| {
        let edge = step.number.and_then(|number| edges[number]);
        // Merging takes no longer than the shortest edge.
        if source == Source::Rest {
            return on.min(off);
        }
        let meant = edge.is_some_and(|edge| {
            source == Source::Site(edge.source) && target == Source::Site(edge.target)
        });
        if meant { on } else { off }
    }
}
