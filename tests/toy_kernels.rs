//! Kernels of a toy machine: every rule of kernel building once, on instructions that fit on a
//! page, without LLVM.

mod toy;

use toy::{catalogue, flags, l, opcode_of, r, top};
use winic::artifact::Needs;
use winic::catalogue::Catalogue;
use winic::form::{Edge, Site, Value};
use winic::infer::{Finding, Knowledge};
use winic::kernel::{
    Breaking, Chain, Kernel, KernelError, Link, Restoring, Slot, Style, ThroughputBody, ValueClass,
};
use winic::metadata::{Instruction, OperandValue, RegisterId};
use winic::study::Grid;
use winic::study::latency::{LatencyStudy, Route};
use winic::study::throughput::dependences_of;
use winic::study::{latency, next_round};

fn body(
    subject: &str,
    instances: u32,
    breaking: &[(RegisterId, &str)],
    interval: u32,
) -> ThroughputBody {
    let breaking = breaking
        .iter()
        .map(|&(register, breaker)| Breaking { register, breaker: opcode_of(breaker) })
        .collect();
    ThroughputBody { breaking, interval, ..ThroughputBody::plain(opcode_of(subject), instances) }
}

fn link(form: &str, source: Site, target: Site) -> Link {
    Link { opcode: opcode_of(form), source, target, immediate: None, restoring: None }
}

fn chain(links: &[Link], style: Style) -> Chain {
    Chain {
        links: links.to_vec(),
        style,
        fillers: 0,
        least_links: 12,
        values: ValueClass::default(),
    }
}

const FLAGS: fn() -> Site = || Site::Implicit(flags());

fn op(index: usize) -> Site {
    Site::Operand(index)
}

/// An instruction as text: `add R0, R0, R1`.
fn text(instruction: &Instruction, catalogue: &Catalogue) -> String {
    let names: Vec<&str> = instruction
        .operands
        .iter()
        .map(|operand| match operand {
            OperandValue::Register(register) => catalogue.set.register(*register).name.as_str(),
            OperandValue::Immediate(_) => "#",
        })
        .collect();
    format!("{} {}", catalogue.set.opcode(instruction.opcode).name, names.join(", "))
        .trim()
        .to_owned()
}

fn lines(kernel: &Kernel, catalogue: &Catalogue) -> Vec<String> {
    kernel
        .body
        .iter()
        .map(|slot| match slot {
            Slot::Instruction(instruction) => text(instruction, catalogue),
            Slot::Fillers(count) => format!("filler x {count}"),
            Slot::Advance => "advance".to_owned(),
            Slot::Bytes(bytes) => format!("filler of {} bytes", bytes.len()),
        })
        .collect()
}

fn value_of(kernel: &Kernel, register: RegisterId) -> Option<Value> {
    kernel.values.iter().find(|(known, _)| *known == register).map(|&(_, value)| value)
}

#[test]
fn independent_instances_rotate_through_all_registers() {
    let catalogue = catalogue(None);
    let kernel = body("add", 7, &[], 1).build(&catalogue).unwrap();
    assert_eq!(
        lines(&kernel, &catalogue),
        [
            "add R0, R0, R6",
            "add R1, R1, R6",
            "add R2, R2, R6",
            "add R3, R3, R6",
            "add R4, R4, R6",
            "add R5, R5, R6",
            "add R0, R0, R6"
        ]
    );
    assert_eq!(kernel.loop_control.name, "count");
    assert!(
        (0..7).all(|number| value_of(&kernel, r(number)).is_some()),
        "every register has a value"
    );
    assert_eq!(kernel.instances, 7);
}

#[test]
fn a_kernel_that_is_given_an_address_needs_memory() {
    let catalogue = catalogue(None);
    let mut kernel = body("add", 7, &[], 1).build(&catalogue).unwrap();
    assert!(kernel.needs().is_plain());
    kernel.values[0].1 = Value::DataAddress(0);
    assert_eq!(kernel.needs(), Needs { memory: 8192, ..Needs::default() });
}

#[test]
fn two_results_take_different_registers() {
    let catalogue = catalogue(None);
    let kernel = body("swap", 4, &[], 1).build(&catalogue).unwrap();
    assert_eq!(
        lines(&kernel, &catalogue),
        [
            "swap R0, R1, R0, R1",
            "swap R2, R3, R2, R3",
            "swap R4, R5, R4, R5",
            "swap R0, R1, R0, R1"
        ]
    );
}

#[test]
fn breakers_stand_after_every_interval_and_read_what_nobody_writes() {
    let catalogue = catalogue(None);
    let kernel = body("adc", 4, &[(flags(), "test")], 2).build(&catalogue).unwrap();
    assert_eq!(
        lines(&kernel, &catalogue),
        [
            "adc R0, R0, R4",
            "adc R1, R1, R4",
            "test R6, R5",
            "adc R2, R2, R4",
            "adc R3, R3, R4",
            "test R6, R5"
        ]
    );
    let kernel = body("mul", 2, &[(r(0), "mov")], 1).build(&catalogue).unwrap();
    assert_eq!(lines(&kernel, &catalogue), ["mul R5", "mov R0, R6", "mul R5", "mov R0, R6"]);
    assert_eq!(value_of(&kernel, r(6)), Some(Value::OrdinaryOf(r(0))), "it copies what was there");
}

#[test]
fn dependences_are_found_part_by_part() {
    let catalogue = catalogue(None);
    let of = |name: &str| dependences_of(&catalogue, catalogue.form_by_name(name).unwrap());
    assert_eq!(of("add"), []);
    assert_eq!(of("adc"), [flags()]);
    assert_eq!(of("inc"), []);
    assert_eq!(of("carry"), []);
    assert_eq!(of("mul"), [r(0)]);
}

#[test]
fn required_values_reach_the_registers() {
    let catalogue = catalogue(None);
    let kernel = body("div", 1, &[], 1).build(&catalogue).unwrap();
    assert_eq!(lines(&kernel, &catalogue), ["div R6"]);
    assert_eq!(value_of(&kernel, r(6)), Some(Value::Number(3)));
}

#[test]
fn what_is_missing_is_named() {
    let some = catalogue(Some(&["adc"]));
    assert_eq!(body("add", 1, &[], 1).build(&some), Err(KernelError::NoForm(opcode_of("add"))));
    let breaking = body("adc", 1, &[(flags(), "test")], 1);
    assert_eq!(breaking.build(&some), Err(KernelError::NoForm(opcode_of("test"))));
    assert_eq!(
        chain(&[link("add", op(1), op(0))], Style::Same).build(&some),
        Err(KernelError::NoForm(opcode_of("add")))
    );
}

#[test]
fn a_chain_goes_through_one_register_or_several() {
    let catalogue = catalogue(None);
    let same = chain(&[link("add", op(1), op(0))], Style::Same).build(&catalogue).unwrap();
    assert_eq!(lines(&same, &catalogue), ["add R0, R0, R6"; 12]);
    let rotating = chain(&[link("add", op(2), op(0))], Style::Rotating).build(&catalogue).unwrap();
    assert_eq!(
        lines(&rotating, &catalogue)[..5],
        ["add R0, R0, R2", "add R1, R1, R0", "add R2, R2, R1", "add R0, R0, R2", "add R1, R1, R0"]
    );
    // The tied operand is the other one: one register would be read twice.
    let error = chain(&[link("add", op(2), op(0))], Style::Same).build(&catalogue);
    assert!(matches!(error, Err(KernelError::ReadTwice(_))), "{error:?}");
    let tied = chain(&[link("add", op(2), op(0))], Style::Tied).build(&catalogue).unwrap();
    assert_eq!(lines(&tied, &catalogue), ["add R0, R0, R0"; 12], "unless that is what is wanted");
}

#[test]
fn fillers_stand_behind_each_link() {
    let catalogue = catalogue(None);
    let padded = Chain { fillers: 3, ..chain(&[link("inc", op(1), op(0))], Style::Same) };
    let kernel = padded.build(&catalogue).unwrap();
    assert_eq!(
        lines(&kernel, &catalogue)[..4],
        ["inc R0, R0", "filler x 3", "inc R0, R0", "filler x 3"]
    );
    assert_eq!(kernel.instructions().count(), 12);
}

#[test]
fn flags_survive_the_loop_they_go_through() {
    let catalogue = catalogue(None);
    // The plain loop leaves C alone, but writes Z, and some cores wait for both.
    let carry = chain(&[link("invert", FLAGS(), FLAGS())], Style::Same).build(&catalogue).unwrap();
    assert_eq!(carry.loop_control.name, "flagless");
    assert_eq!(lines(&carry, &catalogue), ["invert"; 12]);
    let both = chain(&[link("both", FLAGS(), FLAGS())], Style::Same).build(&catalogue).unwrap();
    assert_eq!(both.loop_control.name, "flagless");
    // A register at the loop's edge spares the flags.
    let links = [link("add", op(2), FLAGS()), link("select", FLAGS(), op(0))];
    let mixed = chain(&links, Style::Rotating).build(&catalogue).unwrap();
    assert_eq!(mixed.loop_control.name, "count");
    assert!(
        lines(&mixed, &catalogue)[0].starts_with("add"),
        "the flags stay inside: {:?}",
        lines(&mixed, &catalogue)
    );
}

#[test]
fn other_dependences_are_broken_off_the_chain() {
    let catalogue = catalogue(None);
    let kernel = chain(&[link("adc", op(1), op(0))], Style::Same).build(&catalogue).unwrap();
    assert_eq!(
        lines(&kernel, &catalogue)[..4],
        ["test R5, R4", "adc R0, R0, R6", "test R5, R4", "adc R0, R0, R6"]
    );
    let flags_only =
        chain(&[link("adc", FLAGS(), FLAGS())], Style::Same).build(&catalogue).unwrap();
    let text = lines(&flags_only, &catalogue);
    assert!(text.iter().all(|line| line.starts_with("adc")), "nothing cuts the flags: {text:?}");
    assert_ne!(text[0], text[1], "results nobody reads rotate");
    // Once registers, once flags: the breaker of each stands where the chain is in the other.
    let links = [link("adc", op(1), FLAGS()), link("adc", FLAGS(), op(0))];
    let round = chain(&links, Style::Same).build(&catalogue).unwrap();
    let text = lines(&round, &catalogue);
    assert_eq!(
        text[..4],
        ["test R4, R3", "adc R0, R0, R6", "mov R0, R2", "adc R0, R0, R5"],
        "{text:?}"
    );
}

#[test]
fn no_chain_goes_through_an_undefined_flag() {
    let catalogue = catalogue(None);
    let through_zero = [link("shl", op(2), FLAGS()), link("select", FLAGS(), op(0))];
    let error = chain(&through_zero, Style::Rotating).build(&catalogue);
    assert!(matches!(error, Err(KernelError::NoDependence { .. })), "{error:?}");
    let through_carry = [link("shl", op(2), FLAGS()), link("carry", FLAGS(), op(0))];
    assert!(chain(&through_carry, Style::Rotating).build(&catalogue).is_ok());
    // It is not left alone either: a reader of Z would wait for the shift.
    let kernel = chain(&[link("select", op(2), op(0)), link("shl", op(1), op(0))], Style::Rotating);
    let kernel = kernel.build(&catalogue).unwrap();
    let text = lines(&kernel, &catalogue);
    let select = text.iter().position(|line| line.starts_with("select")).unwrap();
    assert!(select > 0 && text[select - 1].starts_with("test"), "{text:?}");
}

#[test]
fn fixed_registers_need_a_way_to_each_other() {
    let catalogue = catalogue(None);
    let low = chain(&[link("mul", Site::Implicit(r(0)), Site::Implicit(r(0)))], Style::Same);
    assert_eq!(lines(&low.build(&catalogue).unwrap(), &catalogue), ["mul R6"; 12]);
    let high = link("mul", Site::Implicit(r(0)), Site::Implicit(r(1)));
    let error = chain(std::slice::from_ref(&high), Style::Same).build(&catalogue);
    assert!(matches!(error, Err(KernelError::NoJunction { .. })), "{error:?}");
    let transferred =
        chain(&[high, link("mov", op(1), op(0))], Style::Rotating).build(&catalogue).unwrap();
    assert_eq!(
        lines(&transferred, &catalogue)[..4],
        ["mul R6", "mov R0, R1", "mul R6", "mov R0, R1"]
    );
}

#[test]
fn values_are_restored_without_cutting_the_chain() {
    let catalogue = catalogue(None);
    let quotient = Site::Implicit(r(0));
    let restoring = |form, role| Link { restoring: Some(role), ..link(form, op(1), op(0)) };
    let links = [
        link("div", quotient, quotient),
        restoring("and", Restoring::Clear),
        restoring("or", Restoring::Set(opcode_of("div"), quotient)),
    ];
    let kernel = chain(&links, Style::Same).build(&catalogue).unwrap();
    let text = lines(&kernel, &catalogue);
    assert_eq!(text[..3], ["div R6", "and R0, R0, R5", "or R0, R0, R4"]);
    assert_eq!(value_of(&kernel, r(5)), Some(Value::Zero));
    assert_eq!(value_of(&kernel, r(4)), Some(Value::OrdinaryOf(r(0))));
    assert_eq!(value_of(&kernel, r(6)), Some(Value::Number(3)));
}

#[test]
fn the_rest_of_a_register_is_broken_too() {
    let catalogue = catalogue(None);
    // `carry` writes half of R0, the other half of which `add` wrote just before.
    let links = [link("add", op(1), FLAGS()), link("carry", FLAGS(), op(0))];
    let kernel = chain(&links, Style::Same).build(&catalogue).unwrap();
    assert_eq!(
        lines(&kernel, &catalogue)[..4],
        ["add R0, R0, R6", "mov R0, R5", "carry L0", "add R0, R0, R6"]
    );
    // Where the chain is in the register, merging with it is part of the chain.
    let links =
        [link("mul", Site::Implicit(r(0)), Site::Implicit(r(0))), link("low", op(1), op(0))];
    let kernel = chain(&links, Style::Rotating).build(&catalogue).unwrap();
    assert_eq!(lines(&kernel, &catalogue)[..3], ["mul R6", "low L0, R0", "mul R6"]);
}

/// What is pushed is constant, and what pops names the old top, which lies below the new one then.
#[test]
fn the_top_of_a_stack_is_broken_by_a_push_and_a_pop() {
    let all = catalogue(None);
    let top = Site::Implicit(top());
    let links = [link("mix", op(0), top), link("copy", top, op(0))];
    let chain = chain(&links, Style::Same);
    let kernel = chain.build(&all).unwrap();
    assert_eq!(lines(&kernel, &all)[..4], ["push R6", "pop B", "mix R0", "copy R0"]);
    assert_eq!(value_of(&kernel, r(6)), Some(Value::OrdinaryOf(toy::top())));
    let one_of_the_pair = catalogue(Some(&["mix", "copy", "push"]));
    let register = "T".to_owned();
    assert_eq!(
        chain.build(&one_of_the_pair),
        Err(KernelError::SecondDependence { register }),
        "a push alone moves the stack"
    );
}

/// How the edge from a form's source to its result is planned once nothing more is asked.
fn route(form: &str, catalogue: &Catalogue) -> Route {
    let subjects = [opcode_of(form)];
    let studies = [(latency::QUESTION.ask)(catalogue, &subjects, Grid::USUAL)];
    let mut knowledge = Knowledge::default();
    loop {
        let asked = next_round(&studies, &knowledge);
        if asked.is_empty() {
            break;
        }
        for experiment in asked {
            knowledge.learn(experiment, Finding::Impossible("not timed".to_owned()));
        }
    }
    LatencyStudy::new(catalogue, &subjects).planner(&knowledge).plans().remove(0).route
}

#[test]
fn a_way_back_takes_as_many_helpers_as_it_needs() {
    let catalogue = catalogue(None);
    let p = |number| {
        let register = catalogue.set.register_by_name(&format!("P{number}"));
        Site::Implicit(register.expect("a register"))
    };
    let links = [
        link("enter", op(0), p(0)),
        link("first", p(0), p(1)),
        link("second", p(1), p(2)),
        link("third", p(2), p(3)),
        link("leave", p(3), op(0)),
    ];
    assert_eq!(route("enter", &catalogue), Route::Walks(vec![links.to_vec()]));
    // From the middle it is the same walk, begun elsewhere.
    let turned = [&links[2..], &links[..2]].concat();
    assert_eq!(route("second", &catalogue), Route::Walks(vec![turned]));
    let Route::None(reason) = route("detour", &catalogue) else { panic!("five are too many") };
    assert_eq!(reason.to_string(), "no instruction leads back from impl(Reg<P4>) to 0(Class<W>)");
}

#[test]
fn a_way_back_that_a_step_is_missing_on_is_none() {
    let without = catalogue(Some(&["enter", "first", "third", "leave", "mov"]));
    assert!(matches!(route("enter", &without), Route::None(_)));
}

#[test]
fn loops_that_restore_a_register_let_it_be_read_only() {
    let catalogue = catalogue(None);
    let controls = catalogue.isa.loop_controls(&catalogue.set);
    assert_eq!(controls[2].restores, [(r(6), r(5))]);
    for form in catalogue.forms() {
        for edge in form.edges() {
            let Edge { opcode, source, target } = edge;
            let link = Link { opcode, source, target, immediate: None, restoring: None };
            for style in [Style::Same, Style::Rotating] {
                let Ok(kernel) = chain(std::slice::from_ref(&link), style).build(&catalogue) else {
                    continue;
                };
                let reserved = &kernel.loop_control.reserved;
                for instruction in kernel.instructions() {
                    let touched = catalogue.form(instruction.opcode).unwrap().touched(instruction);
                    assert!(
                        touched.iter().all(|register| !reserved.contains(register)),
                        "{}",
                        text(instruction, &catalogue)
                    );
                }
            }
        }
    }
}

#[test]
fn registers_have_names_for_their_halves() {
    let catalogue = catalogue(None);
    assert_eq!(catalogue.whole(l(3)), r(3));
    assert_eq!(
        catalogue.resource(l(3)),
        catalogue.resource(r(0)),
        "all registers are one resource"
    );
    assert_ne!(catalogue.resource(flags()), catalogue.resource(r(0)));
}
