//! What holds for every database and every update, whatever else is in the file.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_yaml::{Mapping, Number, Value};
use winic::database::{
    BrokenDependence, Cause, Circumstance, Configuration, Database, EdgeLimit, Independence,
    Latency, LatencyVariant, Limits, LoopConflict, MeasuredBody, OperandEntry, OperandLatency,
    Subject, Throughput, ThroughputVariant, Update, ValueStatus, WayBack,
};
use winic::form::NamedSite;

/// Few names, so that updates meet entries, and entries each other.
const NAMES: &[&str] = &["EXA8rr", "EXA16rr", "EXA32rm", "NO", "1e3", "~"];
const OPERANDS: &[&str] = &["0", "1", "2", "EFLAGS"];
/// The prefixes of the keys of an operand latency.
const ITEM: &[&str] = &[
    "sourceOperand",
    "targetOperand",
    "llvmSource",
    "llvmTarget",
    "latency",
    "independence",
    "uncertainty",
    "raw",
    "saturated",
    "helpers",
    "pass",
    "limits",
    "variants",
    "status",
];

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(NAMES).prop_map(str::to_owned)
}

fn operand_name() -> impl Strategy<Value = String> {
    prop::sample::select(OPERANDS).prop_map(str::to_owned)
}

/// Any text: also what YAML must quote, escape or fold.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,8}",
        any::<String>(),
        r#"[ \n\t:#'"\-?|>&*!%@{}\[\],~.0-9a]{0,12}"#,
        prop::sample::select(vec!["null", "true", "no", ".nan", "0x1f", "1_0", "<<", "=", "07"])
            .prop_map(str::to_owned),
    ]
}

/// Cycles, as a measurement has them before they are written.
fn cycles() -> impl Strategy<Value = Option<f64>> {
    option::of(prop_oneof![
        (0..200u32).prop_map(f64::from),
        0.0..50.0,
        any::<f64>(),
        Just(f64::NAN),
        Just(f64::INFINITY),
    ])
}

/// What is left of a number that was written and read back.
fn stored(value: Option<f64>) -> Option<f64> {
    let value = value.filter(|value| value.is_finite())?;
    let rounded = (value * 1e4).round() / 1e4;
    Some(if value.abs() < 9e15 { rounded } else { value })
}

prop_compose! {
    fn operand()(class in text(), name in option::of(text()), width in option::of(0..=512u32),
                 read in any::<bool>(), write in any::<bool>()) -> OperandEntry {
        OperandEntry { class, name, width, read, write }
    }
}

prop_compose! {
    fn configuration()(sew in option::of(8..=64u32), group in option::of(-3..=3i32),
                       masked in any::<bool>()) -> Configuration {
        Configuration { sew, lmul: group.map(|group| f64::from(group).exp2()), masked }
    }
}

prop_compose! {
    fn subject()(llvm_name in name(), name in option::of(text()), alias in option::of(name()),
                 configuration in option::of(configuration()), addressing in option::of(text()),
                 operands in vec(operand(), 0..3)) -> Subject {
        Subject { llvm_name, name, alias, configuration, addressing, operands }
    }
}

prop_compose! {
    fn variant()(variant in text().prop_map(Circumstance::from), throughput in cycles(), uncertainty in cycles())
        -> ThroughputVariant {
        ThroughputVariant { variant, throughput, uncertainty }
    }
}

prop_compose! {
    fn throughput()(value in cycles(), min in cycles(), max in cycles(), uncertainty in cycles(),
                    raw in cycles(), status in option::of(status()), broken_by in vec(name(), 0..3),
                    body in option::of(body()), variants in vec(variant(), 0..3)) -> Throughput {
        Throughput { value, min, max, uncertainty, raw, status, broken_by, body, variants }
    }
}

prop_compose! {
    fn body()(instances in 1..400u32, interval in option::of(1..9u32),
              broken in vec((name(), name()), 0..3)) -> MeasuredBody {
        let broken = broken.into_iter();
        let broken =
            broken.map(|(register, breaker)| BrokenDependence { register, breaker }).collect();
        MeasuredBody { instances, interval, broken }
    }
}

/// What is said of values, in known words and in others.
fn status() -> impl Strategy<Value = ValueStatus> {
    let known = select(vec![
        "unstable",
        "contested: its loops disagree",
        "unroll anomaly: 0.30 by T(n)/n, 1.25 by T(2n) - T(n)",
        "failed: segmentation fault",
        "the clock moved during each of the 12 windows",
        "no instruction leads back from 0(Class<VR128>) to impl(Reg<MXCSR>)",
    ]);
    prop_oneof![known.prop_map(str::to_owned), text()].prop_map(ValueStatus::from)
}

fn site() -> impl Strategy<Value = NamedSite> {
    let operand = (0..9usize, option::of(name()));
    prop_oneof![
        operand.prop_map(|(index, class)| NamedSite::Operand { index, class }),
        name().prop_map(NamedSite::Implicit),
    ]
}

fn limits() -> impl Strategy<Value = Limits> {
    let known = select(vec![
        "measured",
        "no instruction is faster",
        "A(1 -> 0), B(0(Class<GR16>) -> impl(Reg<AX>)) cannot be faster",
        "what is left of A(1 -> 0)",
    ]);
    let limit = || prop_oneof![known.clone().prop_map(str::to_owned), text()];
    (limit(), limit())
        .prop_map(|(below, above)| Limits { below: below.into(), above: above.into() })
}

prop_compose! {
    fn latency_variant()(variant in text().prop_map(Circumstance::from), latency in cycles()) -> LatencyVariant {
        LatencyVariant { variant, latency }
    }
}

prop_compose! {
    fn operand_latency()((source, target) in (operand_name(), operand_name()),
                         (min, max) in (cycles(), cycles()), uncertainty in cycles(), raw in cycles(),
                         saturated_latency in cycles(), ways in vec(text(), 0..3),
                         variants in vec(latency_variant(), 0..3), status in option::of(status()),
                         (llvm_source, llvm_target) in (option::of(site()), option::of(site())),
                         (pass, limits) in (cycles(), option::of(limits())),
                         independence in option::of(select(vec![Independence::Proven,
                                                                Independence::Possible])))
                         -> OperandLatency {
        let helpers = ways.into_iter().map(WayBack::from).collect();
        OperandLatency { source, target, llvm_source, llvm_target, min, max, independence,
                         uncertainty, raw, saturated_latency, helpers, pass, limits, variants,
                         status }
    }
}

prop_compose! {
    /// Every edge at most once, as a run measures them.
    fn latency()(value in cycles(), operands in vec(operand_latency(), 0..6),
                 status in option::of(status())) -> Latency {
        let mut latency = Latency { value, operands: Vec::new(), status };
        for operand in operands {
            if latency.operands.iter().all(|other| edge(other) != edge(&operand)) {
                latency.operands.push(operand);
            }
        }
        latency
    }
}

prop_compose! {
    fn update()(subject in subject(), throughput in option::of(throughput()),
                latency in option::of(latency())) -> Update {
        Update { subject, throughput, latency, ports: None }
    }
}

/// A YAML value without parts.
fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        Just(Value::Number(Number::from(f64::NEG_INFINITY))),
        text().prop_map(Value::from),
    ]
}

/// Any YAML value of a foreign key.
///
/// Except for mappings as keys: the files are written by serde_yaml, which cannot write all of
/// them. (`winic::database` can; its own tests have them.)
fn foreign_value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 12, 4, |inner| {
        let tagged = |(tag, value): (String, Value)| {
            let tag = serde_yaml::value::Tag::new(tag);
            Value::Tagged(Box::new(serde_yaml::value::TaggedValue { tag, value }))
        };
        let untagged = inner
            .clone()
            .prop_filter("tags do not nest", |value| !matches!(value, Value::Tagged(_)));
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::Sequence),
            vec((scalar(), inner), 0..4)
                .prop_map(|pairs| Value::Mapping(pairs.into_iter().collect())),
            ("[a-z]{1,5}", untagged).prop_map(tagged),
        ]
    })
}

/// Pairs that ride along in a mapping; no key of winic is among them.
fn foreign_pairs() -> impl Strategy<Value = Vec<(Value, Value)>> {
    let key = prop_oneof![
        4 => text().prop_map(|text| Value::from(format!("{text}-own"))),
        1 => scalar().prop_filter("is a key of nobody", |key| !key.is_string()),
    ];
    vec((key, foreign_value()), 0..3)
}

/// A mapping with foreign pairs before and after its own.
fn with_foreign(own: BoxedStrategy<Mapping>) -> BoxedStrategy<Value> {
    (foreign_pairs(), own, foreign_pairs())
        .prop_map(|(before, own, after)| {
            Value::Mapping(before.into_iter().chain(own).chain(after).collect())
        })
        .boxed()
}

fn own(part: &impl serde::Serialize) -> Mapping {
    serde_yaml::to_value(part).unwrap().as_mapping().unwrap().clone()
}

fn item() -> BoxedStrategy<Value> {
    with_foreign(operand_latency().prop_map(|item| own(&item)).boxed())
}

/// An entry with some of its parts, in any order.
fn entry() -> BoxedStrategy<Value> {
    let latency = (latency(), vec(item(), 0..4)).prop_map(|(latency, items)| {
        let mut latency = own(&latency);
        latency.insert("operandLatencies".into(), Value::Sequence(items));
        latency
    });
    let parts = (subject(), option::of(throughput()), option::of(latency)).prop_map(
        |(subject, throughput, latency)| {
            let mut parts = own(&subject);
            parts.extend(throughput.map(|part| own(&part)).unwrap_or_default());
            parts.extend(latency.unwrap_or_default());
            parts
        },
    );
    with_foreign(parts.boxed())
}

fn database() -> impl Strategy<Value = Database> {
    let list = vec(entry(), 0..5);
    let mapping = list.clone().prop_flat_map(|entries| {
        let own = Mapping::from_iter([("instructions".into(), Value::Sequence(entries))]);
        with_foreign(Just(own).boxed())
    });
    prop_oneof![list.prop_map(Value::Sequence), mapping].prop_map(|value| {
        let text = serde_yaml::to_string(&value).unwrap();
        Database::parse(&text).unwrap_or_else(|fault| panic!("{fault}\n{text}"))
    })
}

fn edge(latency: &OperandLatency) -> (&str, &str) {
    (&latency.source, &latency.target)
}

fn item_edge(item: &Value) -> (&str, &str) {
    (item["sourceOperand"].as_str().unwrap(), item["targetOperand"].as_str().unwrap())
}

fn written(database: &Database) -> Value {
    serde_yaml::from_str(&database.to_yaml().unwrap()).unwrap()
}

fn instructions(database: &Value) -> &[Value] {
    database["instructions"].as_sequence().unwrap()
}

/// The pairs of a mapping that are not winic's, or not of the part that was measured.
fn others<'a>(value: &'a Value, measured: &[&str]) -> Vec<(&'a Value, &'a Value)> {
    let is_other = |key: &Value| {
        !key.as_str().is_some_and(|key| {
            measured.iter().any(|part| key.starts_with(part)) && !key.ends_with("-own")
        })
    };
    value.as_mapping().unwrap().iter().filter(|(key, _)| is_other(key)).collect()
}

/// The prefixes of the keys that an update of an entry with name and operands may change.
fn measured(update: &Update) -> Vec<&'static str> {
    let throughput = update.throughput.is_some().then_some("throughput");
    let latency: &[_] =
        if update.latency.is_some() { &["latency", "operandLatencies"] } else { &[] };
    ["alias", "configuration", "addressing"]
        .into_iter()
        .chain(throughput)
        .chain(latency.iter().copied())
        .collect()
}

fn stored_throughput(throughput: &Throughput) -> Throughput {
    let variants = throughput.variants.iter().map(|variant| ThroughputVariant {
        throughput: stored(variant.throughput),
        uncertainty: stored(variant.uncertainty),
        ..variant.clone()
    });
    Throughput {
        value: stored(throughput.value),
        min: stored(throughput.min),
        max: stored(throughput.max),
        uncertainty: stored(throughput.uncertainty),
        raw: stored(throughput.raw),
        variants: variants.collect(),
        ..throughput.clone()
    }
}

fn stored_operand_latency(latency: &OperandLatency) -> OperandLatency {
    OperandLatency {
        min: stored(latency.min),
        max: stored(latency.max),
        uncertainty: stored(latency.uncertainty),
        raw: stored(latency.raw),
        saturated_latency: stored(latency.saturated_latency),
        pass: stored(latency.pass),
        variants: (latency.variants.iter())
            .map(|variant| LatencyVariant { latency: stored(variant.latency), ..variant.clone() })
            .collect(),
        ..latency.clone()
    }
}

/// How good a finding is: nothing, a doubtful value, a value.
fn worth(has_value: bool, status: &Option<ValueStatus>) -> u8 {
    u8::from(has_value) + u8::from(has_value && status.is_none())
}

fn worth_of_throughput(throughput: &Throughput) -> u8 {
    worth(throughput.has_value(), &throughput.status)
}

fn worth_of(latency: &OperandLatency) -> u8 {
    worth(latency.has_value(), &latency.status)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn texts_of_answers_are_read_as_they_are_written(text in text(), status in status()) {
        let same = status.to_string();
        prop_assert_eq!(ValueStatus::from(same.clone()), status);
        for text in [text, same] {
            prop_assert_eq!(&ValueStatus::from(text.clone()).to_string(), &text);
            prop_assert_eq!(&Cause::from(text.clone()).to_string(), &text);
            prop_assert_eq!(&Circumstance::from(text.clone()).to_string(), &text);
            prop_assert_eq!(&WayBack::from(text.clone()).to_string(), &text);
            prop_assert_eq!(&EdgeLimit::from(text.clone()).to_string(), &text);
            prop_assert_eq!(&LoopConflict::from(text.clone()).to_string(), &text);
        }
    }

    #[test]
    fn what_is_written_is_read_back(mut database in database(), updates in vec(update(), 0..4)) {
        updates.iter().for_each(|update| database.merge(update));
        let text = database.to_yaml().unwrap();
        prop_assert!(Database::parse(&text).unwrap() == database, "{text}");
    }

    #[test]
    fn merging_twice_is_merging_once(mut database in database(), updates in vec(update(), 1..4)) {
        updates.iter().for_each(|update| database.merge(update));
        let once = database.clone();
        database.merge(updates.last().unwrap());
        prop_assert_eq!(database, once);
    }

    #[test]
    fn what_was_measured_is_what_is_read(mut database in database(), update in update()) {
        let name = &update.subject.llvm_name;
        let before = database.entry(name).unwrap_or_default();
        database.merge(&update);
        let after = database.entry(name).unwrap();
        prop_assert_eq!(&after.subject.alias, &update.subject.alias);
        match &update.throughput {
            Some(new) if worth_of_throughput(new) >= worth_of_throughput(&before.throughput) => {
                prop_assert_eq!(after.throughput, stored_throughput(new));
            }
            _ => prop_assert_eq!(after.throughput, before.throughput),
        }
        let Some(latency) = &update.latency else {
            prop_assert_eq!(after.latency, before.latency);
            return Ok(());
        };
        for measured in &latency.operands {
            let find = |latency: &Latency| {
                latency.operands.iter().find(|other| edge(other) == edge(measured)).cloned()
            };
            let same = latency.operands.iter().filter(|other| edge(other) == edge(measured));
            let expected = same.map(stored_operand_latency).fold(find(&before.latency), |best, new| {
                let is_worse = best.as_ref().is_some_and(|best| worth_of(&new) < worth_of(best));
                if is_worse { best } else { Some(new) }
            });
            prop_assert_eq!(find(&after.latency), expected);
        }
        if before.latency.has_value() && !latency.has_value() {
            prop_assert_eq!(after.latency.value, before.latency.value);
            prop_assert_eq!(after.latency.status, before.latency.status);
        } else {
            let largest = Latency::largest(&after.latency.operands);
            let largest = largest.into_iter().chain(latency.value.filter(|value| value.is_finite()));
            prop_assert_eq!(after.latency.value, stored(largest.reduce(f64::max)));
            prop_assert_eq!(&after.latency.status, &latency.status);
        }
    }

    #[test]
    fn everything_else_stays(mut database in database(), update in update()) {
        let before = written(&database);
        database.merge(&update);
        let after = written(&database);
        let top = |value: &Value| {
            let mut top = value.as_mapping().unwrap().clone();
            top.insert("instructions".into(), Value::Null);
            top.into_iter().collect::<Vec<_>>()
        };
        prop_assert_eq!(top(&before), top(&after));

        let (before, after) = (instructions(&before), instructions(&after));
        let is_subject = |entry: &Value| entry["llvmName"] == update.subject.llvm_name;
        let changed = before.iter().position(is_subject).unwrap_or(before.len());
        prop_assert_eq!(after.len(), before.len().max(changed + 1));
        for (place, old) in before.iter().enumerate().filter(|(place, _)| *place != changed) {
            prop_assert_eq!(old, &after[place]);
        }
    }

    #[test]
    fn of_the_entry_what_was_not_measured_stays(mut database in database(), update in update()) {
        let before = written(&database);
        let is_subject = |entry: &Value| entry["llvmName"] == update.subject.llvm_name;
        let Some(place) = instructions(&before).iter().position(is_subject) else { return Ok(()) };
        database.merge(&update);
        let after = written(&database);
        let (before, after) = (&instructions(&before)[place], &instructions(&after)[place]);

        let mut measured = measured(&update);
        measured.extend(before["name"].is_null().then_some("name"));
        prop_assert_eq!(others(before, &measured), others(after, &measured));

        let Some(latency) = &update.latency else { return Ok(()) };
        let items = |entry: &Value| {
            entry.get("operandLatencies").and_then(Value::as_sequence).cloned().unwrap_or_default()
        };
        let (before, after) = (items(before), items(after));
        for (place, old) in before.iter().enumerate() {
            let first = before.iter().position(|item| item_edge(item) == item_edge(old));
            let measured = latency.operands.iter().any(|item| edge(item) == item_edge(old));
            if measured && first == Some(place) {
                prop_assert_eq!(others(old, ITEM), others(&after[place], ITEM));
            } else {
                prop_assert_eq!(old, &after[place]);
            }
        }
    }
}
