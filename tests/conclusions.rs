//! What is said of timings that cannot be relied on: of a toy machine whose truth is known, with
//! some of its kernels disturbed.

#[path = "support/front_end.rs"]
mod front_end;
mod toy;

use front_end::front_end;
use toy::{catalogue, flags, opcode_of};
use winic::catalogue::Catalogue;
use winic::experiment::Experiment;
use winic::form::Site;
use winic::infer::{Finding, Knowledge, LoopCost, Timing};
use winic::kernel::ThroughputBody;
use winic::metadata::OpcodeId;
use winic::sample::Sample;
use winic::study::Grid;
use winic::study::latency::{EdgeConclusion, EdgeValue, LatencyConclusions, LatencyStudy};
use winic::study::throughput::ThroughputStudy;
use winic::study::{Question, latency, next_round, probes, throughput};
use winic::units::Cycles;

/// Cycles of the sentinel on a quiet core, and on one that somebody else uses half of.
const QUIET: f64 = 40.0;
const SHARED: f64 = 80.0;
const FRONT_END: f64 = 0.25;

/// A sample of a kernel of so many cycles on a quiet core.
fn sample(cycles: f64) -> Sample {
    Sample {
        body: Cycles(cycles),
        uncertainty: Cycles(cycles * 0.002),
        plain: None,
        frequency: None,
        pulse: Some(Cycles(QUIET)),
        windows_used: 6,
        windows_total: 6,
        settled: true,
    }
}

/// The ways in which a timing is not to be relied on.
fn doubtful(cycles: f64) -> [Sample; 3] {
    [
        Sample { settled: false, uncertainty: Cycles(cycles / 4.0), ..sample(cycles) },
        Sample { pulse: Some(Cycles(SHARED)), ..sample(cycles) },
        // Hardly slower, but three of four windows disagree.
        Sample { pulse: Some(Cycles(QUIET * 1.04)), windows_total: 24, ..sample(cycles) },
    ]
}

/// A run over some forms, in which samples are what they are made to be.
fn run(
    catalogue: &Catalogue,
    question: &Question,
    subjects: &[OpcodeId],
    make: &dyn Fn(&Experiment, f64) -> Sample,
) -> Knowledge {
    let mut knowledge = front_end(catalogue, FRONT_END);
    for probe in probes(catalogue.forms()) {
        knowledge.learn(probe, Finding::Executed { ticks: 0 });
    }
    let studies = [(question.ask)(catalogue, subjects, Grid::USUAL)];
    loop {
        let questions = next_round(&studies, &knowledge);
        if questions.is_empty() {
            return knowledge;
        }
        for question in questions {
            let finding = match question.kernel(catalogue) {
                Err(error) => Finding::Impossible(error.to_string()),
                Ok(None) => unreachable!("{question:?} has a kernel"),
                Ok(Some(kernel)) => {
                    let instances = kernel.instances;
                    match &question {
                        // Every link takes a cycle.
                        Experiment::Latency(chain) => {
                            let cycles = f64::from(instances) * chain.links.len() as f64;
                            Finding::Timed(Timing::of_chain(
                                make(&question, cycles),
                                instances,
                                LoopCost::Hidden,
                            ))
                        }
                        _ => {
                            let cycles = f64::from(instances) * 0.5;
                            Finding::Timed(Timing::of_instances(
                                make(&question, cycles),
                                instances,
                                LoopCost::Hidden,
                            ))
                        }
                    }
                }
            };
            knowledge.learn(question, finding);
        }
    }
}

fn opcodes_of(names: &[&str]) -> Vec<OpcodeId> {
    names.iter().map(|name| opcode_of(name)).collect()
}

fn edge<'a>(
    found: &'a LatencyConclusions,
    name: &str,
    source: Site,
    target: Site,
) -> &'a EdgeValue {
    let is_it = |conclusion: &&EdgeConclusion| {
        let edge = conclusion.edge;
        (edge.opcode, edge.source, edge.target) == (opcode_of(name), source, target)
    };
    let conclusion = found.edges.iter().find(is_it).expect("the edge is asked for");
    conclusion.value.as_ref().expect("it was timed")
}

const RESULT: Site = Site::Operand(0);

/// Whether a walk through this form's flags is asked for.
fn goes_through(question: &Experiment, name: &str, target: Site) -> bool {
    let Experiment::Latency(chain) = question else { return false };
    chain.links.iter().any(|link| link.opcode == opcode_of(name) && link.target == target)
}

#[test]
fn a_disturbed_chain_into_itself_is_what_was_seen_and_unstable() {
    let (catalogue, subjects) = (catalogue(None), opcodes_of(&["add", "adc"]));
    for way in 0..3 {
        let knowledge = run(&catalogue, &latency::QUESTION, &subjects, &|question, cycles| {
            let is_disturbed = goes_through(question, "add", RESULT);
            if is_disturbed { doubtful(cycles * 1.5)[way] } else { sample(cycles) }
        });
        let found = LatencyStudy::new(&catalogue, &subjects).conclusions(&knowledge);
        for source in [0, 1, 2].map(Site::Operand) {
            let is_edge = |it: &&EdgeConclusion| {
                it.edge.opcode == opcode_of("add")
                    && it.edge.source == source
                    && it.edge.target == RESULT
            };
            if !found.edges.iter().any(|it| is_edge(&it)) {
                continue;
            }
            let value = edge(&found, "add", source, RESULT);
            assert!(!value.settled, "way {way}: {value:?}");
            assert!((value.interval.lower().0 - 1.5).abs() < 1e-9, "way {way}: {value:?}");
            assert_eq!(value.interval.width(), Cycles(0.0));
            assert!(value.uncertainty.0 > 0.0);
            assert!(value.helpers.iter().all(Vec::is_empty), "it is chained into itself");
        }
        assert_eq!(found.conflicts, [], "it bears on no other edge");
        let other = found
            .edges
            .iter()
            .find(|it| it.edge.opcode == opcode_of("adc") && it.edge.target == RESULT);
        let other = other.unwrap().value.as_ref().unwrap();
        assert!(other.settled && other.interval.upper() == Cycles(1.0), "{other:?}");
    }
}

#[test]
fn of_a_disturbed_loop_only_what_cannot_be_less_is_said_of_the_helpers() {
    let (catalogue, subjects) = (catalogue(None), opcodes_of(&["add"]));
    let into_flags = Site::Implicit(flags());
    for way in 0..3 {
        let knowledge = run(&catalogue, &latency::QUESTION, &subjects, &|question, cycles| {
            let is_disturbed = goes_through(question, "add", into_flags);
            if is_disturbed { doubtful(cycles * 2.0)[way] } else { sample(cycles) }
        });
        let found = LatencyStudy::new(&catalogue, &subjects).conclusions(&knowledge);
        let disturbed: Vec<&EdgeConclusion> =
            found.edges.iter().filter(|it| it.edge.target == into_flags).collect();
        assert!(!disturbed.is_empty());
        for conclusion in disturbed {
            let value = conclusion.value.as_ref().unwrap();
            assert!(!value.settled, "way {way}: {value:?}");
            assert!(value.helpers.iter().all(|back| !back.is_empty()));
            // No instruction takes less than a cycle; the helpers leave the rest of the pass.
            let helpers = value.helpers[0].len() as f64;
            assert_eq!(value.interval.lower(), Cycles(1.0));
            let upper = value.pass.0 - helpers;
            assert!((value.interval.upper().0 - upper).abs() < 1e-9, "way {way}: {value:?}");
            assert!(value.interval.contains(Cycles(1.0), Cycles(0.0)), "the truth");
        }
        assert!(edge(&found, "add", Site::Operand(1), RESULT).settled);
    }
}

#[test]
fn a_throughput_is_unstable_while_a_disturbed_body_could_be_faster() {
    let (catalogue, mov) = (catalogue(None), opcode_of("mov"));
    let settled = |disturbed: &dyn Fn(&ThroughputBody, f64) -> Option<Sample>| {
        let knowledge =
            run(&catalogue, &throughput::QUESTION, &[mov], &|question, cycles| match question {
                Experiment::Throughput(body) => disturbed(body, cycles).unwrap_or(sample(cycles)),
                _ => sample(cycles),
            });
        let found = ThroughputStudy::new(&catalogue, &[mov]).conclusions(&knowledge);
        let value = found[0].value.as_ref().unwrap();
        (value.settled, value.interval.upper())
    };
    assert_eq!(settled(&|_, _| None), (true, Cycles(0.5)));
    let is_first =
        |body: &ThroughputBody| body.instances == ThroughputBody::plain(mov, 384).instances;
    // Undisturbed it would be half of that at best: more than others take.
    let much_slower = |body: &ThroughputBody, cycles: f64| {
        is_first(body).then(|| Sample { pulse: Some(Cycles(SHARED)), ..sample(cycles * 3.0) })
    };
    assert_eq!(settled(&much_slower), (true, Cycles(0.5)));
    let perhaps_faster = |body: &ThroughputBody, cycles: f64| {
        is_first(body).then(|| Sample { pulse: Some(Cycles(SHARED)), ..sample(cycles * 1.5) })
    };
    assert_eq!(settled(&perhaps_faster), (false, Cycles(0.5)));
}

#[test]
fn what_only_one_body_shows_is_unstable_and_as_uncertain_as_the_others_are_far() {
    let (catalogue, mov) = (catalogue(None), opcode_of("mov"));
    let of = |fast: &[u32]| {
        let knowledge =
            run(&catalogue, &throughput::QUESTION, &[mov], &|question, cycles| match question {
                Experiment::Throughput(body) if fast.contains(&body.instances) => {
                    sample(cycles * 0.8)
                }
                _ => sample(cycles),
            });
        ThroughputStudy::new(&catalogue, &[mov]).conclusions(&knowledge)[0].value.clone().unwrap()
    };
    let luck = of(&[256]);
    assert!(!luck.settled, "{luck:?}");
    assert!((luck.interval.upper().0 - 0.4).abs() < 1e-9, "{luck:?}");
    assert!((luck.uncertainty.0 - 0.1).abs() < 1e-9, "{luck:?}");
    let confirmed = of(&[256, 144]);
    assert!(confirmed.settled, "more bodies were asked for: {confirmed:?}");
    assert!(confirmed.uncertainty.0 < 0.01, "{confirmed:?}");
}
