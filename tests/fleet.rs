//! Fleets of machines made up here: each work is done once, by machines that agree and live.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use winic::artifact::{Artifact, KernelFunctions, KernelId, Needs, Purpose, ReferenceFunction};
use winic::device::{
    Device, DeviceError, Fault, HostDescription, KernelReport, RawSample, Source, TickSource,
    Window,
};
use winic::fleet::{Fleet, FleetError, Incident, Member};
use winic::sample::Clock;

/// A machine that answers at once.
#[derive(Clone)]
struct Machine {
    host: HostDescription,
    /// Cycles that every body takes here.
    cycles: u64,
    /// So many of its first bodies take longer.
    slow: usize,
    /// It breaks after so many reports, each time it is started.
    lifetime: usize,
    /// It breaks at this kernel.
    poison: Option<KernelId>,
    /// What it was asked for, in order.
    asked: Arc<Mutex<Vec<u32>>>,
}

fn machine() -> Machine {
    let host = HostDescription {
        architecture: "toy".into(),
        cpu: "A CPU".into(),
        cpuinfo: String::new(),
        extensions: Vec::new(),
        system: "none".into(),
        source: Source::Measured,
        core: None,
        ticks: Some(TickSource::CycleCounter),
        tick_rate: None,
        tick_step: 1,
        advice: Vec::new(),
        resources: winic::device::Resources::default(),
    };
    let asked = Arc::default();
    Machine { host, cycles: 100, slow: 0, lifetime: usize::MAX, poison: None, asked }
}

impl Device for Machine {
    fn describe(&self) -> &HostDescription {
        &self.host
    }

    fn run(
        &mut self,
        artifact: &Artifact,
        deliver: &mut dyn FnMut(KernelId, KernelReport) -> bool,
    ) -> Result<(), DeviceError> {
        for (count, kernel) in artifact.kernels.iter().enumerate() {
            if count == self.lifetime || self.poison == Some(kernel.id) {
                return Err(DeviceError::Died("signal: 9".into()));
            }
            self.asked.lock().unwrap().push(kernel.id.0);
            // So that every machine gets its share.
            std::thread::sleep(std::time::Duration::from_millis(1));
            let report = match kernel.purpose {
                Purpose::Probe if self.cycles == 0 => {
                    KernelReport::Faulted(Fault::IllegalInstruction)
                }
                Purpose::Probe => KernelReport::Executed { ticks: 7 },
                Purpose::Time => {
                    let is_slow = self.slow > 0;
                    self.slow -= usize::from(is_slow);
                    timed(self.cycles + if is_slow { 60 } else { 0 })
                }
            };
            if !deliver(kernel.id, report) {
                break;
            }
        }
        Ok(())
    }
}

fn timed(cycles: u64) -> KernelReport {
    let window = Window {
        reference_before: 10_000,
        single: 1000 + 100 * cycles,
        double: 1000 + 200 * cycles,
        reference_after: 10_000,
        sentinel: 0,
    };
    KernelReport::Timed(RawSample {
        iterations: 100,
        reference_iterations: 100,
        sentinel_iterations: 0,
        waited: Duration::ZERO,
        overhead: 0.0,
        tick_step: 1,
        windows: vec![window; 8],
    })
}

fn artifact(purpose: Purpose, kernels: u32) -> Artifact {
    let kernel = |id| KernelFunctions {
        id: KernelId(id),
        purpose,
        init: None,
        single: format!("k{id}"),
        double: (purpose == Purpose::Time).then(|| format!("k{id}_double")),
        alone: true,
        needs: Needs::default(),
    };
    Artifact {
        image: [].into(),
        reference: ReferenceFunction { symbol: "reference".into(), cycles_per_iteration: 100 },
        sentinel: None,
        kernels: (0..kernels).map(kernel).collect(),
    }
}

struct Tested {
    fleet: Fleet,
    told: Arc<Mutex<Vec<String>>>,
}

fn fleet(machines: &[&Machine]) -> Tested {
    let named = |(number, machine): (usize, &&Machine)| Member {
        name: format!("node {number}"),
        device: Box::new(Machine::clone(machine)),
    };
    let told = Arc::<Mutex<Vec<String>>>::default();
    let listener = Arc::clone(&told);
    let tell = move |incident: &Incident| listener.lock().unwrap().push(incident.to_string());
    let members = machines.iter().enumerate().map(named).collect();
    Tested { fleet: Fleet::new(members, Clock::Counter, Box::new(tell)).unwrap(), told }
}

impl Tested {
    /// The kernels reported, in ascending order, with the smallest and largest body.
    fn run(&mut self, artifact: &Artifact) -> Result<(Vec<u32>, Vec<u64>), DeviceError> {
        let (mut ids, mut bodies) = (Vec::new(), Vec::new());
        self.fleet.run(artifact, &mut |id, report| {
            ids.push(id.0);
            if let KernelReport::Timed(raw) = report {
                bodies.push((raw.windows[0].double - raw.windows[0].single) / raw.iterations);
            }
            true
        })?;
        ids.sort_unstable();
        bodies.sort_unstable();
        bodies.dedup();
        Ok((ids, bodies))
    }

    fn told(&self) -> Vec<String> {
        std::mem::take(&mut self.told.lock().unwrap())
    }
}

fn all(kernels: u32) -> Vec<u32> {
    (0..kernels).collect()
}

#[test]
fn every_kernel_is_reported_once_and_everybody_works() {
    for purpose in [Purpose::Time, Purpose::Probe] {
        let machines = [machine(), machine(), machine()];
        let mut tested = fleet(&machines.each_ref());
        let (ids, _) = tested.run(&artifact(purpose, 200)).unwrap();
        assert_eq!(ids, all(200));
        assert_eq!(tested.told(), Vec::<String>::new());
        let shares = machines.each_ref().map(|machine| machine.asked.lock().unwrap().len());
        assert!(shares.iter().all(|&share| share > 20), "{shares:?}");
        // Two kernels were run by everybody.
        assert_eq!(shares.iter().sum::<usize>(), 200 + 2 * 2);
    }
    assert_eq!(
        fleet(&[&machine(), &machine()]).run(&artifact(Purpose::Time, 0)).unwrap().0,
        all(0)
    );
}

#[test]
fn a_single_machine_is_a_fleet_too() {
    let machine = machine();
    let mut tested = fleet(&[&machine]);
    assert_eq!(tested.run(&artifact(Purpose::Time, 30)).unwrap().0, all(30));
    assert_eq!(*machine.asked.lock().unwrap(), all(30));
}

#[test]
fn what_a_dead_machine_had_not_reported_is_done_again() {
    let mortal = Machine { lifetime: 5, ..machine() };
    let healthy = machine();
    let mut tested = fleet(&[&mortal, &healthy]);
    let work = artifact(Purpose::Time, 100);
    assert_eq!(tested.run(&work).unwrap().0, all(100));
    let told = tested.told();
    assert_eq!(
        told[0],
        "node 0 broke and its work is done again by the others: the runner ended in the middle \
         of its work (signal: 9); what it had measured is kept"
    );
    // It gets a second chance and no third.
    assert_eq!(tested.run(&work).unwrap().0, all(100));
    let asked = mortal.asked.lock().unwrap().len();
    assert_eq!(tested.run(&work).unwrap().0, all(100));
    assert_eq!(mortal.asked.lock().unwrap().len(), asked);
    assert!(told.len() + tested.told().len() <= 2);
}

#[test]
fn a_kernel_that_breaks_machines_does_not_break_all_of_them() {
    let machines: [Machine; 4] =
        std::array::from_fn(|_| Machine { poison: Some(KernelId(17)), ..machine() });
    let mut tested = fleet(&machines.each_ref());
    let mut reported = 0;
    let error = tested.fleet.run(&artifact(Purpose::Time, 60), &mut |_, _| {
        reported += 1;
        true
    });
    assert!(matches!(error, Err(DeviceError::Died(_))), "{error:?}");
    assert!(reported > 20, "{reported}");
    assert_eq!(tested.told().len(), 2);
}

#[test]
fn when_all_are_dead_the_run_is() {
    let mortal = Machine { lifetime: 3, ..machine() };
    let mut tested = fleet(&[&mortal, &mortal]);
    assert!(matches!(tested.run(&artifact(Purpose::Time, 100)), Err(DeviceError::Died(_))));
}

#[test]
fn a_machine_that_disagrees_is_named_and_nothing_of_it_is_kept() {
    let other = Machine { cycles: 108, ..machine() };
    for machines in [vec![&machine(), &other, &machine()], vec![&machine(), &other]] {
        let mut tested = fleet(&machines);
        let waits = "node 1 waits while the others work, because it disagrees with them";
        let leaves = "node 1 is left out, because it disagrees with the others";
        for said in [waits, waits, leaves] {
            let (ids, bodies) = tested.run(&artifact(Purpose::Time, 100)).unwrap();
            assert_eq!((ids, bodies), (all(100), vec![100]));
            let values = "the body of a kernel reads 108.00+-0.06 cycles there and \
                          100.00+-0.06 cycles elsewhere";
            assert_eq!(tested.told(), [format!("{said}: {values}")]);
        }
        // It is not asked any more.
        other.asked.lock().unwrap().clear();
        tested.run(&artifact(Purpose::Time, 100)).unwrap();
        assert_eq!((tested.told(), other.asked.lock().unwrap().len()), (Vec::new(), 0));
    }
}

#[test]
fn a_machine_that_was_disturbed_takes_part_in_the_next_artifact() {
    let disturbed = Machine { slow: 6, ..machine() };
    let mut tested = fleet(&[&machine(), &disturbed]);
    tested.run(&artifact(Purpose::Time, 100)).unwrap();
    let told = tested.told();
    assert!(told.len() == 1 && told[0].starts_with("node 1 waits"), "{told:?}");
    disturbed.asked.lock().unwrap().clear();
    let (ids, bodies) = tested.run(&artifact(Purpose::Time, 100)).unwrap();
    assert_eq!((ids, bodies, tested.told()), (all(100), vec![100], Vec::new()));
    assert!(disturbed.asked.lock().unwrap().len() > 2);
}

#[test]
fn small_differences_are_no_disagreement() {
    let near = Machine { cycles: 101, ..machine() };
    let mut tested = fleet(&[&machine(), &near]);
    let (ids, bodies) = tested.run(&artifact(Purpose::Time, 100)).unwrap();
    assert_eq!((ids, bodies), (all(100), vec![100, 101]));
    assert_eq!(tested.told(), Vec::<String>::new());
}

#[test]
fn a_machine_that_lacks_an_instruction_disagrees() {
    let lacking = Machine { cycles: 0, ..machine() };
    let mut tested = fleet(&[&machine(), &machine(), &lacking]);
    assert_eq!(tested.run(&artifact(Purpose::Probe, 50)).unwrap().0, all(50));
    let told = tested.told();
    assert!(told[0].contains("node 2 waits") && told[0].contains("illegal"), "{told:?}");
}

#[test]
fn who_wants_no_more_gets_no_more() {
    let mut tested = fleet(&[&machine(), &machine()]);
    let mut reported = 0;
    tested
        .fleet
        .run(&artifact(Purpose::Time, 1000), &mut |_, _| {
            reported += 1;
            reported < 10
        })
        .unwrap();
    assert_eq!(reported, 10);
}

#[test]
fn machines_of_another_kind_are_refused_in_one_line() {
    let refused = |host: HostDescription| {
        let member =
            |machine: Machine, name: &str| Member { name: name.into(), device: Box::new(machine) };
        let members = vec![member(machine(), "a"), member(Machine { host, ..machine() }, "b")];
        match Fleet::new(members, Clock::Counter, Box::new(|_| ())) {
            Ok(_) => panic!("an unlike machine was let in"),
            Err(error) => error.to_string(),
        }
    };
    let Machine { host, .. } = machine();
    assert_eq!(
        refused(HostDescription { cpu: "Another".into(), ..host.clone() }),
        "b is another kind of machine than a: its CPU is Another, not A CPU; measure them one by one"
    );
    for other in [
        HostDescription { architecture: "riscv64".into(), ..host.clone() },
        HostDescription { ticks: None, ..host },
    ] {
        assert!(refused(other).starts_with("b is another kind of machine than a: its "));
    }
    let none = Fleet::new(Vec::new(), Clock::Counter, Box::new(|_| ()));
    assert!(matches!(none, Err(FleetError::Empty)));
}
