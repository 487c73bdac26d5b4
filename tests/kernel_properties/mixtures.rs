//! Mixtures: so many instances of one form beside so many of another, as port usage needs them.

use std::collections::{HashMap, HashSet};

use winic::catalogue::Catalogue;
use winic::experiment::Experiment;
use winic::form::{EncodingGroup, InstructionForm, Operand};
use winic::kernel::{
    Breaking, Content, Ingredient, Instance, Kernel, MixedBody, MixedPart, Mixture, Order,
    RegisterPolicy,
};
use winic::metadata::{Instruction, OpcodeId, OperandValue, UnitId};
use winic::study::throughput::dependences_of;

use crate::check_kernel;
use crate::complaints::{Complaints, units};
use crate::dataflow::Loop;
use crate::support::Machine;

/// Instances of the first form and of the second.
const COUNTS: (u32, u32) = (6, 4);

fn mixture(first: &InstructionForm, second: &InstructionForm) -> Mixture {
    let plain = |form: &InstructionForm| Instance::plain(form.opcode);
    Mixture::of(&[(plain(first), COUNTS.0), (plain(second), COUNTS.1)])
}

fn opcodes(kernel: &Kernel) -> Vec<OpcodeId> {
    kernel.instructions().map(|instruction| instruction.opcode).collect()
}

/// The units of the registers that the instances of a form name as operands of some kind. Others
/// are a part of the name of one that it does: W8 of `za.s[w8, 0, vgx2]` holds a constant for all forms.
fn named_units(
    kernel: &Kernel,
    form: &InstructionForm,
    catalogue: &Catalogue,
    is_meant: fn(&Operand) -> bool,
) -> HashSet<UnitId> {
    let instances = kernel.instructions().filter(|instruction| instruction.opcode == form.opcode);
    let operands = instances.flat_map(|instruction: &Instruction| {
        let known = instruction.operands.iter().zip(&form.operands);
        known.filter(|(_, operand)| is_meant(operand)).map(|(value, _)| value)
    });
    let registers = operands.filter_map(|operand| match operand {
        OperandValue::Register(register) => Some(*register),
        OperandValue::Immediate(_) => None,
    });
    registers.flat_map(|register| units(catalogue, register).to_vec()).collect()
}

/// Which form stands where: `AABAB`, with `x` for everything else.
fn order(kernel: &Kernel, first: OpcodeId, second: OpcodeId) -> String {
    let letter = |opcode| match opcode {
        _ if opcode == first => 'A',
        _ if opcode == second => 'B',
        _ => 'x',
    };
    opcodes(kernel).into_iter().map(letter).collect()
}

#[test]
fn mixtures_of_all_x86_64_forms() {
    mixtures_of_all_forms(Machine::x86_64());
}

#[test]
fn mixtures_of_all_aarch64_forms() {
    mixtures_of_all_forms(Machine::aarch64());
}

#[test]
fn mixtures_of_all_riscv64_forms() {
    mixtures_of_all_forms(Machine::riscv64());
}

/// Every form beside the next one of the list.
fn mixtures_of_all_forms(mut machine: Machine) {
    let isa = machine.catalogue.isa.clone();
    let stands_alone = |form: &&InstructionForm| {
        let companions = isa.companions(form);
        companions.before.is_empty() && companions.after.is_empty()
    };
    let forms: Vec<InstructionForm> =
        machine.catalogue.forms().filter(stands_alone).cloned().collect();
    let mut complaints = Complaints::default();
    let (mut built, mut built_unchained, mut pairs) = (0, 0, 0);
    for pair in forms.windows(2) {
        let [first, second] = pair else { continue };
        if EncodingGroup::with(first.group, second.group).is_none() {
            continue;
        }
        pairs += 1;
        let plain = mixture(first, second);
        let content = Content::SideBySide(unchained(plain.clone()));
        let name = format!("{} beside {}, unchained", first.name, second.name);
        if let Ok(kernel) = content.build(&machine.catalogue) {
            built_unchained += 1;
            let subjects = [first.opcode, second.opcode];
            let others = opcodes(&kernel).into_iter().filter(|it| !subjects.contains(it));
            complaints.copies = others.collect();
            check_kernel(&name, &kernel, &mut machine, &mut complaints);
            complaints.copies.clear();
            if !reads_constants(&kernel, [first, second], &machine.catalogue) {
                complaints.add("a copy reads what something writes", &name);
            }
        }
        let Ok(kernel) = Content::SideBySide(plain).build(&machine.catalogue) else { continue };
        built += 1;
        let name = format!("{} beside {}", first.name, second.name);
        check_kernel(&name, &kernel, &mut machine, &mut complaints);
        if order(&kernel, first.opcode, second.opcode) != "AABABAABAB" {
            complaints.add("is interleaved otherwise", &name);
        }
        let touched = |form: &InstructionForm| {
            named_units(&kernel, form, &machine.catalogue, |operand| operand.read || operand.write)
        };
        let written = |form: &InstructionForm| {
            named_units(&kernel, form, &machine.catalogue, |operand| operand.write)
        };
        let meets = |one, other| !written(one).is_disjoint(&touched(other));
        if meets(first, second) || meets(second, first) {
            complaints.add("one form touches what the other writes to", &name);
        }
    }
    println!("{pairs} pairs, {built} mixtures, {built_unchained} unchained");
    for built in [built, built_unchained] {
        assert!(built * 10 > pairs * 9, "{built} of {pairs} pairs have a kernel");
    }
    complaints.assert_none();
}

/// With copies into the registers of all results.
fn unchained(mut mixture: Mixture) -> Mixture {
    for (_, ingredient) in &mut mixture.ingredients {
        if let Ingredient::Instance(instance) = ingredient {
            instance.registers = RegisterPolicy::Unchained(4);
        }
    }
    mixture
}

/// Whether what stands beside the instances of forms reads registers that nothing in the body writes.
fn reads_constants(kernel: &Kernel, forms: [&InstructionForm; 2], catalogue: &Catalogue) -> bool {
    let is_copy = |it: &&Instruction| forms.iter().all(|form| form.opcode != it.opcode);
    let at = |it: &Instruction, is_meant: fn(&Operand) -> bool| -> Vec<UnitId> {
        let form = catalogue.form(it.opcode).expect("a form");
        let operands = it.operands.iter().zip(&form.operands).filter(|(_, own)| is_meant(own));
        let registers = operands.filter_map(|(value, _)| match value {
            OperandValue::Register(register) => Some(*register),
            OperandValue::Immediate(_) => None,
        });
        registers.flat_map(|register| units(catalogue, register).to_vec()).collect()
    };
    let written: HashSet<UnitId> =
        kernel.instructions().flat_map(|it| at(it, |operand| operand.write)).collect();
    let mut copies = kernel.instructions().filter(is_copy);
    copies.all(|it| at(it, |operand| operand.read).iter().all(|unit| !written.contains(unit)))
}

/// Where copies cut chains, nothing goes from one pass to the next, and they are few.
#[test]
fn copies_cut_chains() {
    const INSTANCES: u32 = 240;
    let cases: [(Machine, &[(&str, u32)]); 5] = [
        (Machine::x86_64(), &[("MULPSrr", 12), ("PSUBSBrr", 4), ("ADDPSrr", 12)]),
        (Machine::x86_64(), &[("VFMADD213PSZr", 16), ("VADDPSZrr", 0), ("VPADDDZ256rrk", 4)]),
        (Machine::x86_64(), &[("IMUL64rr", 12), ("ADD8rr", 4), ("XADD32rr", 8)]),
        (Machine::aarch64(), &[("FMLAv2f64", 16), ("MOVKXi", 4), ("FADDv2f64", 0)]),
        (Machine::riscv64(), &[("C_ADD", 4), ("C_MUL", 12), ("MUL", 0)]),
    ];
    for (machine, forms) in cases {
        let part = |&(form, waits): &(&str, u32)| MixedPart {
            opcode: machine.form(form).opcode,
            count: 1,
            waits,
        };
        let kernel_in = |order| {
            let parts = forms.iter().map(part).collect();
            let body = MixedBody::of_instances(parts, Vec::new(), order, INSTANCES);
            Experiment::Mixed(body).kernel(&machine.catalogue).unwrap().unwrap()
        };
        let chain = |kernel: &Kernel| {
            Loop::of(kernel, &machine.catalogue).growth(|step, _, _| step.number.is_some().into()).0
        };
        let (spread, unchained) = (kernel_in(Order::Spread), kernel_in(Order::Unchained));
        assert!(chain(&spread) > 0, "{forms:?}");
        assert_eq!(chain(&unchained), 0, "{forms:?}");
        let copies = unchained.instructions().count() - spread.instructions().count();
        let waiting = forms.iter().filter(|(_, waits)| *waits > 0).count();
        let instances = INSTANCES as usize * waiting / forms.len();
        assert!(copies > 0 && copies <= instances / 2, "{forms:?}: {copies} of {instances}");
    }
}

/// A base that is written back leads to its cell as before.
#[test]
fn nothing_is_copied_into_bases_that_are_written_back() {
    let machine = Machine::aarch64_with_memory();
    let form = machine.form("LDRXpost");
    let part = MixedPart { opcode: form.opcode, count: 1, waits: 4 };
    let [spread, unchained] = [Order::Spread, Order::Unchained].map(|order| {
        let body = MixedBody::of_instances(vec![part], Vec::new(), order, 40);
        let kernel = Experiment::Mixed(body).kernel(&machine.catalogue).unwrap().unwrap();
        opcodes(&kernel)
    });
    assert_eq!(unchained, spread);
}

/// Both forms read flags and write them; what breaks that stands behind each instance.
fn broken(machine: &Machine, first: &str, second: &str) -> Mixture {
    let catalogue = &machine.catalogue;
    let (first, second) = (machine.form(first), machine.form(second));
    let [register] = dependences_of(catalogue, first)[..] else { panic!("flags alone") };
    let names = catalogue.isa.breakers(&catalogue.set, register);
    let breaker = names.iter().find_map(|name| catalogue.form_by_name(name)).unwrap().opcode;
    let breaker = Ingredient::Breaker(Breaking { register, breaker });
    let mixture = mixture(first, second);
    let ingredients = mixture.ingredients.into_iter();
    let ingredients =
        ingredients.flat_map(|(share, instance)| [(share, instance), (share, breaker.clone())]);
    Mixture { ingredients: ingredients.collect(), ..mixture }
}

#[test]
fn breakers_stand_between_the_instances_of_a_mixture() {
    for (machine, first, second) in
        [(Machine::x86_64(), "ADC64rr", "SBB32rr"), (Machine::aarch64(), "ADCSXr", "SBCSWr")]
    {
        let content = Content::SideBySide(broken(&machine, first, second));
        let kernel = content.build(&machine.catalogue).unwrap();
        let (first, second) = (machine.form(first).opcode, machine.form(second).opcode);
        assert_eq!(order(&kernel, first, second), "AxAxBxAxBxAxAxBxAxBx");
        assert_eq!(kernel.instances, COUNTS.0);
    }
}

/// How often, in a body, the result that comes back most often does.
fn turns<'a>(instances: impl Iterator<Item = &'a Instruction>) -> i64 {
    let mut results: HashMap<OperandValue, i64> = HashMap::new();
    for instruction in instances {
        if let Some(result @ OperandValue::Register(_)) = instruction.operands.first() {
            *results.entry(*result).or_default() += 1;
        }
    }
    results.into_values().max().unwrap_or(0)
}

/// Flags go from one instance to the next, and around the loop, unless something breaks that.
#[test]
fn with_breakers_a_mixture_waits_for_nothing_unnamed() {
    let machine = Machine::x86_64();
    let catalogue = &machine.catalogue;
    let build = |mixture| Content::SideBySide(mixture).build(catalogue).unwrap();
    let waits = |kernel: &Kernel| {
        let dataflow = Loop::of(kernel, catalogue);
        let (growth, passes) = dataflow.growth(|step, _, _| i64::from(step.number.is_some()));
        growth / passes
    };
    let (first, second) = ("ADC64rr", "SBB32rr");
    let bare = build(mixture(machine.form(first), machine.form(second)));
    assert_eq!(waits(&bare), i64::from(COUNTS.0 + COUNTS.1));
    // What is left is what the operands pass on that are read and written.
    let broken = build(broken(&machine, first, second));
    let instances = broken.instructions().filter(|instruction| {
        [first, second].map(|name| machine.form(name).opcode).contains(&instruction.opcode)
    });
    assert_eq!(waits(&broken), turns(instances));
}

#[test]
fn results_rotate_through_so_many_registers() {
    for (machine, form) in [
        (Machine::x86_64(), "IMUL64rr"),
        (Machine::aarch64(), "MADDXrrr"),
        (Machine::riscv64(), "MUL"),
    ] {
        let opcode = machine.form(form).opcode;
        for most in [1, 3] {
            let registers = RegisterPolicy::Rotating(most);
            let instance = Instance { registers, ..Instance::plain(opcode) };
            let content = Content::SideBySide(Mixture::of(&[(instance, 9)]));
            let kernel = content.build(&machine.catalogue).unwrap();
            let results: HashSet<OperandValue> =
                kernel.instructions().map(|instruction| instruction.operands[0]).collect();
            assert_eq!((results.len(), kernel.instances), (most, 9), "{form}");
        }
    }
}

/// A form that waits long takes more registers than one that waits a little, as many as keep what waits
/// longest as short as any division of them does; one that does not wait takes one.
#[test]
fn results_take_registers_by_how_long_they_wait() {
    let machine = Machine::x86_64();
    let part = |form: &str, waits| MixedPart { opcode: machine.form(form).opcode, count: 1, waits };
    let forms = [("IMUL64rr", 12), ("ADD64rr", 4), ("LEA64r", 0)];
    let body = MixedBody {
        parts: forms.map(|(form, waits)| part(form, waits)).to_vec(),
        breaking: Vec::new(),
        order: Order::Spread,
        rounds: 24,
    };
    let kernel = Experiment::Mixed(body).kernel(&machine.catalogue).unwrap().unwrap();
    let results = forms.map(|(form, _)| {
        let opcode = machine.form(form).opcode;
        let own = kernel.instructions().filter(|instruction| instruction.opcode == opcode);
        own.map(|instruction| instruction.operands[0]).collect::<HashSet<_>>().len()
    });
    let [long, short, none] = results;
    assert_eq!(none, 1, "{results:?}");
    assert!(long > short && short > 1, "{results:?}");
    let longest = |(long, short): (usize, usize)| {
        let [(_, waits_long), (_, waits_short), _] = forms;
        let each = |waits: u32, registers: usize| f64::from(waits) / registers as f64;
        each(waits_long, long).max(each(waits_short, short))
    };
    let all = long + short;
    let shortest = (1..all).map(|long| longest((long, all - long))).fold(f64::MAX, f64::min);
    assert!(longest((long, short)) <= shortest, "{results:?}: {shortest}");
}

/// Whatever their order, rounds hold as many of each form; those drawn by different numbers differ.
#[test]
fn all_orders_hold_the_same() {
    let machine = Machine::x86_64();
    let forms = [("IMUL64rr", 2), ("ADD64rr", 1), ("LEA64r", 3)];
    let parts =
        forms.map(|(form, count)| MixedPart { opcode: machine.form(form).opcode, count, waits: 4 });
    let content_of = |order: Order| {
        let body = MixedBody::of_instances(parts.to_vec(), Vec::new(), order, 100);
        let rounds = body.rounds;
        let kernel = Experiment::Mixed(body).kernel(&machine.catalogue).unwrap().unwrap();
        assert!(rounds * 6 >= 100, "{order:?}: {rounds} rounds");
        let sequence: Vec<OpcodeId> = opcodes(&kernel)
            .into_iter()
            .filter(|own| parts.iter().any(|part| part.opcode == *own))
            .collect();
        for part in parts {
            let own = sequence.iter().filter(|own| **own == part.opcode).count();
            assert_eq!(own as u32, rounds * part.count, "{order:?}: {part:?}");
        }
        sequence
    };
    let sequences = Order::MANY.map(content_of);
    let long = MixedPart { count: 70, ..parts[1] };
    let body = MixedBody::of_instances(vec![long], Vec::new(), Order::Shuffled(1), 100);
    let kernel = Experiment::Mixed(body).kernel(&machine.catalogue).unwrap().unwrap();
    let long = opcodes(&kernel).into_iter().filter(|own| *own == parts[1].opcode).count();
    assert_eq!(long, 140, "a round that is too long to be drawn is whole");
    let different: HashSet<&[OpcodeId]> = sequences.iter().map(|all| &all[..60]).collect();
    assert_eq!(different.len(), sequences.len() - 1);
    assert_eq!(content_of(Order::Unchained), sequences[0], "forms stand as where they are spread");
    assert_eq!(content_of(Order::Shuffled(1)), sequences[2], "an order is the same every time");
    // What is drawn is no round that repeats itself.
    assert_ne!(sequences[2][..6], sequences[2][6..12]);
}
