//! The machine model as OSACA reads it.

use std::fmt::Write as _;

use super::model::{Load, MachineModel, ModelForm, Pressure};
use super::operand::{Address, Syntax};
use crate::database::Database;
use crate::export::header::provenance;

/// The text of a machine model.
pub fn machine(database: &Database, model: &MachineModel, syntax: Syntax) -> String {
    let header = database.header();
    let cpu = header.micro_architecture.unwrap_or_default();
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    line(format!(
        "# A machine model for OSACA of a database of winic {}.",
        env!("CARGO_PKG_VERSION")
    ));
    line(format!("# {}", one_line(&provenance(database))));
    line("# FE is the front end: slots over width. BR is taken branches.".to_owned());
    line(format!("osaca_version: '0.7.1'\nmicro_architecture: {}", quoted(&cpu)));
    line(format!("arch_code: {}\nisa: {}", quoted(&cpu), syntax.isa()));
    line("ROB_size: ~\nscheduler_size: ~".to_owned());
    let width = model
        .front_end
        .filter(|it| *it > 0.0)
        .map_or_else(|| "~".to_owned(), |it| number(1.0 / it));
    line(format!("retired_uOps_per_cycle: ~\ndispatched_uops_per_cycle: {width}"));
    line("hidden_loads: false".to_owned());
    let latencies =
        model.loads.iter().map(|(kind, load)| format!("{kind}: {}", number(load.latency)));
    line(format!("load_latency: {{{}}}", latencies.collect::<Vec<_>>().join(", ")));
    line(format!("p_index_latency: {}", number(model.base)));
    line("load_throughput:".to_owned());
    if model.loads.is_empty() {
        line("  []".to_owned());
    }
    for (kind, load) in &model.loads {
        line(format!(
            "- {{dst: {kind}, {}, port_pressure: {}}}",
            address(syntax),
            pressure(&load.pressure)
        ));
    }
    line(format!(
        "load_throughput_default: {}",
        default(model.loads.values().next().map(|it: &Load| &it.pressure))
    ));
    line("store_throughput:".to_owned());
    if model.stores.is_empty() {
        line("  []".to_owned());
    }
    for (kind, store) in &model.stores {
        line(format!("- {{src: {kind}, {}, port_pressure: {}}}", address(syntax), pressure(store)));
    }
    line(format!("store_throughput_default: {}", default(model.stores.values().next())));
    line(format!("store_to_load_forward_latency: {}", number(model.forwarding.unwrap_or(0.0))));
    let ports: Vec<String> = model.ports.iter().map(|port| quoted(port)).collect();
    line(format!("ports: [{}]", ports.join(", ")));
    line(
        "port_model_scheme: |\n  Ports as winic found them from time alone; see its report."
            .to_owned(),
    );
    line("instruction_forms:".to_owned());
    for form in &model.forms {
        line(entry(form, syntax));
    }
    out
}

/// An address as tables of loads and stores have it.
fn address(syntax: Syntax) -> &'static str {
    Address::Any.yaml(syntax)
}

fn default(known: Option<&Pressure>) -> String {
    known.map_or_else(|| "[]".to_owned(), pressure)
}

fn entry(form: &ModelForm, syntax: Syntax) -> String {
    let names: Vec<String> = form.names.iter().map(|name| quoted(name)).collect();
    let operands: Vec<String> = form.kinds.iter().map(|kind| kind.yaml(syntax, "")).collect();
    let mut text = format!(
        "- {{name: [{}], operands: [{}], latency: {}, throughput: {}, port_pressure: {}",
        names.join(", "),
        operands.join(", "),
        number(form.latency),
        number(form.throughput),
        pressure(&form.pressure),
    );
    if !form.llvm.is_empty() {
        let llvm: Vec<&str> = form.llvm.iter().map(String::as_str).collect();
        let _ = write!(text, ", llvm_name: '{}'", llvm.join(" "));
    }
    text + "}"
}

fn pressure(pressure: &Pressure) -> String {
    let part = |(cycles, ports): &(f64, Vec<String>)| {
        let ports: Vec<String> = ports.iter().map(|port| quoted(port)).collect();
        format!("[{}, [{}]]", number(*cycles), ports.join(", "))
    };
    format!("[{}]", pressure.iter().map(part).collect::<Vec<_>>().join(", "))
}

/// A number with at most four decimals. OSACA needs those with a point to be read as numbers too.
fn number(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A string that YAML takes for nothing else.
fn quoted(text: &str) -> String {
    let is_plain = text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(|it| it.is_ascii_alphanumeric() || it == '.' || it == '_')
        && !["y", "n", "yes", "no", "on", "off", "true", "false", "null"]
            .contains(&text.to_ascii_lowercase().as_str());
    if is_plain { text.to_owned() } else { format!("'{}'", one_line(text).replace('\'', "''")) }
}

fn one_line(text: &str) -> String {
    // OSACA looks for the line of the first form by its key.
    text.replace(|it: char| it.is_control(), " ").replace("instruction_forms", "forms")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_strings_are_strings() {
        assert_eq!(number(0.25), "0.25");
        assert_eq!(number(4.0), "4");
        assert_eq!(number(1.0 / 6.0), "0.1667");
        assert_eq!(quoted("vaddpd"), "vaddpd");
        assert_eq!(quoted("0"), "'0'");
        assert_eq!(quoted("no"), "'no'");
        assert_eq!(quoted("it's"), "'it''s'");
    }
}
