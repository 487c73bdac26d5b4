use super::*;
use crate::answer::{EdgeLimit, LoopConflict};
use crate::database::core::{
    CORE_KEYS, ChainTime, Core, EXECUTION, FillerTime, FrontEndTimes, GuessTime, LoadLatencies,
    LoadLevel, LoadPoint, PairPlaces, ReorderWindow, WindowPoint,
};
use crate::database::{
    ExecutionUnits, FittedFigure, ForwardingTime, ResourceUse, Sweep, SweepKind, SweepPoint,
};

/// The keys a value is written with, all of it being there.
fn keys(part: impl Serialize) -> Vec<String> {
    let value = serde_yaml::to_value(part).unwrap();
    value.as_mapping().unwrap().keys().map(|key| key.as_str().unwrap().to_owned()).collect()
}

fn body() -> MeasuredBody {
    let broken = BrokenDependence { register: "AX".into(), breaker: "HELPER".into() };
    MeasuredBody { instances: 96, interval: Some(4), broken: vec![broken] }
}

fn throughput_variant() -> ThroughputVariant {
    ThroughputVariant { variant: Circumstance::OneRegister, throughput: None, uncertainty: None }
}

fn latency_variant() -> LatencyVariant {
    LatencyVariant { variant: Circumstance::OneRegister, latency: None }
}

fn throughput() -> Throughput {
    Throughput {
        uncertainty: Some(0.01),
        raw: Some(0.51),
        status: Some(ValueStatus::Unstable),
        broken_by: vec!["BREAKER".into()],
        body: Some(body()),
        variants: vec![throughput_variant()],
        ..Throughput::default()
    }
}

fn ports() -> PortUsage {
    PortUsage {
        pressure: Some(vec![(1, vec![0, 1])]),
        slots: Some(1.0),
        resources: vec![ResourceUse { resource: 0, cycles: 4.0 }],
        residual: Some(0.01),
        solutions: Some(1),
        flags: vec!["slower than its ports explain".to_owned()],
        status: Some(ValueStatus::Unstable),
    }
}

fn execution() -> ExecutionUnits {
    ExecutionUnits {
        training_error: Some(0.01),
        splits_instructions: Some(true),
        names: vec!["ALU0".to_owned()],
        names_refused: Some("ADD64rr goes to 2*p0, which cannot be ALU0".to_owned()),
        ..ExecutionUnits::default()
    }
}

fn operand_latency() -> OperandLatency {
    OperandLatency {
        independence: Some(Independence::Proven),
        uncertainty: Some(0.01),
        raw: Some(2.01),
        saturated_latency: Some(3.0),
        llvm_source: NamedSite::parse("1"),
        llvm_target: NamedSite::parse("0"),
        helpers: vec![WayBack::from("HELPER".to_owned())],
        pass: Some(3.0),
        limits: Some(Limits { below: EdgeLimit::Measured, above: EdgeLimit::Least }),
        variants: vec![latency_variant()],
        status: Some(ValueStatus::Unstable),
        ..OperandLatency::default()
    }
}

fn sweep() -> Sweep {
    let said = || Some("said".to_owned());
    Sweep { setting: said(), rate_unit: said(), status: said(), ..Sweep::default() }
}

fn sweep_point() -> SweepPoint {
    SweepPoint { rate: Some(1.0), status: Some("said".to_owned()), ..SweepPoint::default() }
}

fn window() -> ReorderWindow {
    let said = || Some("said".to_owned());
    ReorderWindow {
        filler: said(),
        link: said(),
        links: Some(8),
        curve: vec![WindowPoint::default()],
        status: said(),
        ..ReorderWindow::default()
    }
}

fn load_latencies() -> LoadLatencies {
    LoadLatencies {
        load: Some("LOAD".to_owned()),
        levels: vec![LoadLevel::default()],
        curve: vec![LoadPoint::default()],
        status: Some("said".to_owned()),
    }
}

fn fitted_figure() -> FittedFigure {
    FittedFigure { uncertainty: Some(0.1), ..FittedFigure::default() }
}

#[test]
fn the_tables_of_keys_list_every_field_in_its_order() {
    let subject = Subject {
        alias: Some("OTHER".into()),
        configuration: Some(Configuration::default()),
        addressing: Some("base + index".into()),
        ..Subject::default()
    };
    let latency = Latency { status: Some(ValueStatus::Unstable), ..Latency::default() };
    assert_eq!(keys(subject), ENTRY_KEYS[..6]);
    assert_eq!(keys(throughput()), THROUGHPUT_KEYS);
    assert_eq!(keys(ports()), PORT_KEYS);
    assert_eq!(keys(latency), LATENCY_KEYS);
    assert_eq!(keys(operand_latency()), OPERAND_LATENCY_KEYS);
    let measurement =
        Measurement { conflicts: vec![LoopConflict::Barriers], ..Measurement::default() };
    assert_eq!(keys(measurement), MEASUREMENT_KEYS);
    let core = Core {
        wrong_guess: Some(GuessTime::default()),
        pairs: vec![PairPlaces::default()],
        window: Some(ReorderWindow::default()),
        load_latency: Some(LoadLatencies::default()),
        ..Core::default()
    };
    assert_eq!(keys(core), CORE_KEYS);
    let header = Header {
        source: Some(Source::Measured),
        source_cpu: Some("example".into()),
        ..Header::default()
    };
    assert_eq!(keys(header), FILE_KEYS[1..6]);
}

/// The keys that the published schema has of a part.
fn published(pointer: &str) -> Vec<String> {
    let schema = include_str!("../../../schema/database.schema.json");
    let schema: serde_json::Value = serde_json::from_str(schema).unwrap();
    let part = schema.pointer(pointer).unwrap();
    assert_eq!(part["additionalProperties"], false, "{pointer}");
    part["properties"].as_object().unwrap().keys().cloned().collect()
}

#[test]
fn the_published_schema_has_every_key_and_no_other() {
    let others = ["core", "latency", "ports", "storeForwarding", "throughput"];
    let measurements = [&others[..], &SweepKind::ALL.map(SweepKind::name)].concat();
    let sorted = |keys: Vec<String>| {
        let mut keys = keys;
        keys.sort();
        keys
    };
    let known = |keys: &[&str]| sorted(keys.iter().map(|&key| key.to_owned()).collect());
    for (pointer, keys) in [
        ("", known(FILE_KEYS)),
        ("/properties/measurement", known(&measurements)),
        ("/$defs/measurement", known(MEASUREMENT_KEYS)),
        ("/$defs/core", known(&[CORE_KEYS, &[EXECUTION]].concat())),
        ("/$defs/execution", sorted(keys(execution()))),
        ("/$defs/chainTime", sorted(keys(ChainTime::default()))),
        ("/$defs/frontEndTimes", sorted(keys(FrontEndTimes::default()))),
        ("/$defs/fillerTime", sorted(keys(FillerTime::default()))),
        ("/$defs/guessTime", sorted(keys(GuessTime::default()))),
        ("/$defs/pairPlaces", sorted(keys(PairPlaces::default()))),
        ("/$defs/reorderWindow", sorted(keys(window()))),
        ("/$defs/windowPoint", sorted(keys(WindowPoint::default()))),
        ("/$defs/loadLatencies", sorted(keys(load_latencies()))),
        ("/$defs/loadLevel", sorted(keys(LoadLevel { bytes: Some(1), ..LoadLevel::default() }))),
        ("/$defs/loadPoint", sorted(keys(LoadPoint::default()))),
        ("/$defs/forwardingTime", sorted(keys(ForwardingTime::default()))),
        ("/$defs/sweep", sorted(keys(sweep()))),
        ("/$defs/sweepPoint", sorted(keys(sweep_point()))),
        ("/$defs/fittedFigure", sorted(keys(fitted_figure()))),
        ("/$defs/instruction", known(ENTRY_KEYS)),
        ("/$defs/operandLatency", known(OPERAND_LATENCY_KEYS)),
        ("/$defs/operand", sorted(keys(OperandEntry::default()))),
        ("/$defs/throughputVariant", sorted(keys(throughput_variant()))),
        ("/$defs/latencyVariant", sorted(keys(latency_variant()))),
        ("/$defs/throughputBody", sorted(keys(body()))),
        ("/$defs/brokenDependence", sorted(keys(&body().broken[0]))),
        ("/$defs/limits", sorted(keys(operand_latency().limits))),
        (
            "/$defs/configuration",
            sorted(keys(Configuration { masked: true, ..Configuration::default() })),
        ),
    ] {
        assert_eq!(sorted(published(pointer)), keys, "{pointer}");
    }
}
