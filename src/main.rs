//! The command line.
use winic::*;
use std::collections::HashSet;
use winic::pipeline::*;
use winic::plan::*;
struct P(std::time::Instant, String, usize);
impl Progress for P {
    fn begin(&mut self, s: &str, n: usize) { self.0 = std::time::Instant::now(); self.1 = s.into(); self.2 = n; }
    fn advance(&mut self, _n: usize) {}
    fn end(&mut self) { eprintln!("{} {} {:?}", self.1, self.2, self.0.elapsed()); }
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let t = std::time::Instant::now();
    let mut target = Target::open(llvm::host()).unwrap();
    let mut device = device::LocalDevice::start(Default::default()).unwrap();
    let linker = assemble::Linker::find().unwrap();
    let int = std::sync::atomic::AtomicBool::new(false);
    eprintln!("open {:?} {:?}", t.elapsed(), winic::device::Device::describe(&device));
    let none = HashSet::new();
    let mut forms: Vec<_> = target.forms(&none).filter(|f| is_register_only(f)).cloned().collect();
    if args.len() > 3 { forms.truncate(args[3].parse().unwrap()); }
    let mut p = P(t, String::new(), 0);
    let isa = target.isa.clone();
    let set = target.set.clone();
    let mut run = Run { target: &mut target, device: &mut device, linker: &linker, interrupted: &int, progress: &mut p, times: Default::default() };
    let all: Vec<_> = forms.iter().map(|f| (f.opcode, f.name.clone(), f.mnemonic.clone())).collect();
    let mut m = run.survey(forms, None).unwrap();
    if args[2] == "why" { for (o, n, mn) in &all { println!("{n}\t{mn}\t{:?}", m.knowledge.probe(*o)); } return; }
    eprintln!("floor {} freq {:?} executable {}", m.floor.0, m.frequency, m.catalogue.forms().count());
    let mode = if args[1] == "TP" { Mode::Throughput } else { Mode::Latency };
    let subjects = m.catalogue.forms().filter(|f| args[2] == "all" && !isa.is_deprecated_floating_point(f) || args[2].split(',').any(|n| n == f.name)).map(|f| f.opcode).collect();
    let scope = Scope { mode, subjects, floor: m.floor };
    run.measure(&mut m, &scope).unwrap();
    eprintln!("{:?} total {:?}", run.times, t.elapsed());
    let cat = m.catalogue.clone();
    let pl = Planner::new(&cat, &scope);
    for &s in &scope.subjects {
        let f = cat.form(s).unwrap();
        if mode == Mode::Throughput {
            for b in bodies_of(&cat, f, None, &m.knowledge) {
                let r = m.knowledge.of(&experiment::Experiment::Throughput(b.clone()));
                match r { Some(infer::Finding::Timed(t)) => println!("{}\t{}\t{}\t{}\t{:.4}\t{:.4}\t{:.4}\t{}/{}", f.name, b.instances, b.breaking.len(), b.interval, t.each().0, t.uncertainty().0, t.sample.plain.unwrap().0/t.instances as f64, t.sample.windows_used, t.sample.windows_total), o => println!("{}\t{}\t{:?}", f.name, b.instances, o) }
            }
        } 
    }
    if mode == Mode::Latency {
        for plan in pl.plans(&m.knowledge) {
            let f = cat.form(plan.edge.opcode).unwrap();
            let d = plan.edge.describe(f, &set);
            match &plan.route { Route::None(r) => println!("{d}\tNONE {r}"), Route::Walks(w) => for w in w {
                let names: Vec<_> = w.iter().skip(1).map(|l| cat.form(l.opcode).unwrap().name.clone()).collect();
                match pl.timing_of(w, &m.knowledge) { Some((t, sat)) => println!("{d}\t{:.3}\t+-{:.3}\tsat {:?}\t{names:?}", t.each().0, t.uncertainty().0, sat.map(|s| s.each().0)), None => println!("{d}\tFAIL {:?} {names:?}", pl.failure_of(w, &m.knowledge)) }
            } }
        }
    }
}
