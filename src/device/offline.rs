//! Machines that nobody can reach: what would be asked of one is kept in a file, a runner there answers all of it
//! at once (`winic-runner < JOB > ANSWERS`), and its answers stand for the machine.
//!
//! A job is what the driver says over a pipe, and answers are what the runner says ([`wire`]). A
//! job is recorded while another machine is asked the same, so what would be asked only because of an
//! unlike answer is not in it: that counts as not modelled. Of sweeps next to everything is asked at once.
//!
//! Whether chains agree on what a cycle is nobody can find out by asking again, and without a cycle all
//! other answers are worth nothing. So what a run begins with is recorded [`UNIT_OF_TIME`] times, and
//! whoever asks for it again hears the next answer.

use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io::{BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use super::wire::{self, Reply, Request};
use super::{Device, DeviceError, Fault, HostDescription, KernelReport};
use crate::artifact::{Artifact, KernelFunctions, KernelId};
use crate::repetition::UNIT_OF_TIME;

/// A device that keeps what it is asked.
pub struct Recorder {
    device: Box<dyn Device>,
    job: BufWriter<File>,
    /// Nothing is recorded yet, so that what comes next are the candidates for the unit of time.
    empty: bool,
}

impl Recorder {
    /// Keeps what is asked of a device in a new file.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn new(device: Box<dyn Device>, job: &Path) -> std::io::Result<Self> {
        Ok(Self { device, job: BufWriter::new(File::create(job)?), empty: true })
    }
}

impl Device for Recorder {
    fn describe(&self) -> &HostDescription {
        self.device.describe()
    }

    fn is_model(&self) -> bool {
        self.device.is_model()
    }

    fn run(
        &mut self,
        artifact: &Artifact,
        deliver: &mut dyn FnMut(KernelId, KernelReport) -> bool,
    ) -> Result<(), DeviceError> {
        let times = if std::mem::take(&mut self.empty) { UNIT_OF_TIME.count } else { 1 };
        for _ in 0..times {
            wire::write_request(&mut self.job, artifact)?;
        }
        self.job.flush()?;
        self.device.run(artifact, deliver)
    }
}

/// A kernel by what makes it that kernel: the shared object it is in, and its functions.
type KernelKey = (u64, String);

/// Answers of a machine to a job.
pub struct OfflineAnswers {
    host: HostDescription,
    /// In the order of the job. The last one stays for whoever asks once more.
    known: HashMap<KernelKey, VecDeque<KernelReport>>,
}

/// Why files are no job with its answers.
#[derive(Debug, thiserror::Error)]
pub enum OfflineError {
    /// A file cannot be read, or is not of the protocol.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The runner did not do all of it.
    #[error(
        "{} answers {answered} of {asked} requests: let the runner finish, and send all that it wrote",
        path.display()
    )]
    Unfinished {
        /// The answers.
        path: PathBuf,
        /// Requests that are answered.
        answered: usize,
        /// Requests of the job.
        asked: usize,
    },
}

fn key(image: &[u8], kernel: &KernelFunctions) -> KernelKey {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let mut hasher = DefaultHasher::new();
    image.hash(&mut hasher);
    (hasher.finish(), format!("{:?} {} {:?}", kernel.purpose, kernel.single, kernel.double))
}

impl OfflineAnswers {
    /// Reads a job and what a runner said to it.
    ///
    /// # Errors
    /// When a file is not what it should be, or answers are missing.
    pub fn read(job: &Path, answers: &Path) -> Result<Self, OfflineError> {
        let wrong = |path: &Path, reason: String| OfflineError::File { path: path.into(), reason };
        let open = |path: &Path| {
            File::open(path).map(BufReader::new).map_err(|error| wrong(path, error.to_string()))
        };
        let (mut requests, mut replies) = (open(job)?, open(answers)?);
        let mut reply =
            || wire::read_reply(&mut replies).map_err(|error| wrong(answers, error.to_string()));
        let Some(Reply::Greeting(greeting)) = reply()? else {
            return Err(wrong(answers, "it does not begin with a runner's greeting".to_owned()));
        };
        let mut out = Self { host: greeting.host, known: HashMap::new() };
        let (mut asked, mut answered) = (0, 0);
        loop {
            let request =
                wire::read_request(&mut requests).map_err(|error| wrong(job, error.to_string()))?;
            let artifact = match request {
                None => break,
                Some(Request::Run(artifact)) => artifact,
                Some(Request::Again(_)) => {
                    return Err(wrong(
                        job,
                        "it asks for what came before: record it anew".to_owned(),
                    ));
                }
                Some(Request::Gpu(_)) => {
                    return Err(wrong(
                        job,
                        "it asks a GPU, of which nothing is recorded".to_owned(),
                    ));
                }
            };
            asked += 1;
            loop {
                match reply()? {
                    Some(Reply::Report(id, report)) => out.take(&artifact, id, report),
                    Some(Reply::Done(_)) => {
                        answered += 1;
                        break;
                    }
                    // What a runner refuses it refuses with a reason; the next is answered all the same.
                    Some(Reply::Error(reason)) => {
                        let note = format!("request {asked} of the job was refused: {reason}");
                        out.host.advice.push(note);
                        answered += 1;
                        break;
                    }
                    Some(Reply::Greeting(_)) => {
                        return Err(wrong(answers, "a second greeting".to_owned()));
                    }
                    Some(Reply::Gpu(_)) => {
                        return Err(wrong(answers, "a GPU answers, which nobody asked".to_owned()));
                    }
                    None => break,
                }
            }
        }
        if answered < asked {
            return Err(OfflineError::Unfinished { path: answers.into(), answered, asked });
        }
        Ok(out)
    }

    fn take(&mut self, artifact: &Artifact, id: KernelId, report: KernelReport) {
        if let Some(kernel) = artifact.kernels.iter().find(|kernel| kernel.id == id) {
            self.known.entry(key(&artifact.image, kernel)).or_default().push_back(report);
        }
    }

    fn next(&mut self, key: &KernelKey) -> Option<KernelReport> {
        let reports = self.known.get_mut(key)?;
        if reports.len() > 1 { reports.pop_front() } else { reports.front().cloned() }
    }
}

impl Device for OfflineAnswers {
    fn describe(&self) -> &HostDescription {
        &self.host
    }

    fn run(
        &mut self,
        artifact: &Artifact,
        deliver: &mut dyn FnMut(KernelId, KernelReport) -> bool,
    ) -> Result<(), DeviceError> {
        for kernel in &artifact.kernels {
            let next = self.next(&key(&artifact.image, kernel));
            let report = next.unwrap_or(KernelReport::Faulted(Fault::NotModelled));
            if !deliver(kernel.id, report) {
                break;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::wire::Greeting;
    use super::*;
    use crate::artifact::{Needs, Purpose, ReferenceFunction};

    #[test]
    fn what_is_no_job_or_no_answer_is_said() {
        let place = tempfile::tempdir().unwrap();
        let [job, answers] = ["job", "answers"].map(|name| place.path().join(name));
        let error = |job: &Path, answers: &Path| match OfflineAnswers::read(job, answers) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("these are no answers"),
        };
        std::fs::write(&job, "").unwrap();
        assert!(error(&job, &answers).contains("answers: "), "a file that is missing");
        std::fs::write(&answers, "").unwrap();
        assert!(error(&job, &answers).contains("does not begin with a runner's greeting"));
        std::fs::write(&answers, "{}\n").unwrap();
        assert!(error(&job, &answers).contains("not a reply"));
    }

    /// It says nothing.
    struct Silent(HostDescription);

    impl Device for Silent {
        fn describe(&self) -> &HostDescription {
            &self.0
        }

        fn is_model(&self) -> bool {
            true
        }

        fn run(
            &mut self,
            _: &Artifact,
            _: &mut dyn FnMut(KernelId, KernelReport) -> bool,
        ) -> Result<(), DeviceError> {
            Ok(())
        }
    }

    fn artifact(image: u8) -> Artifact {
        let kernel = KernelFunctions {
            id: KernelId(3),
            purpose: Purpose::Probe,
            init: None,
            single: "single".into(),
            double: None,
            alone: true,
            needs: Needs::default(),
        };
        Artifact {
            image: [image].into(),
            reference: ReferenceFunction { symbol: "ref".into(), cycles_per_iteration: 1 },
            sentinel: None,
            kernels: vec![kernel],
        }
    }

    /// What a runner says first.
    fn greeted(host: HostDescription) -> Vec<u8> {
        let mut said = Vec::new();
        let greeting =
            Greeting { protocol: wire::PROTOCOL, runner: "1".into(), keeps: false, host };
        wire::write_reply(&mut said, &Reply::Greeting(greeting)).unwrap();
        said
    }

    #[test]
    fn what_a_runner_refused_is_said_with_its_reason() {
        let host = HostDescription::of_a_test();
        let place = tempfile::tempdir().unwrap();
        let [job, answers] = ["job", "answers"].map(|name| place.path().join(name));
        Recorder::new(Box::new(Silent(host.clone())), &job)
            .unwrap()
            .run(&artifact(1), &mut |_, _| true)
            .unwrap();
        let mut said = greeted(host);
        for time in 1..=UNIT_OF_TIME.count {
            let reply = if time == 2 { Reply::Error("no child".into()) } else { Reply::Done(0) };
            wire::write_reply(&mut said, &reply).unwrap();
        }
        std::fs::write(&answers, said).unwrap();
        let mut offline = OfflineAnswers::read(&job, &answers).unwrap();
        assert_eq!(offline.describe().advice, ["request 2 of the job was refused: no child"]);
        // Nothing is known of its kernels.
        let mut heard = Vec::new();
        let mut hear = |_, report| {
            heard.push(report);
            true
        };
        offline.run(&artifact(1), &mut hear).unwrap();
        assert!(matches!(heard[..], [KernelReport::Faulted(Fault::NotModelled)]), "{heard:?}");
    }

    #[test]
    fn what_a_run_begins_with_has_an_answer_for_each_time_that_it_is_asked() {
        let host = HostDescription::of_a_test();
        let place = tempfile::tempdir().unwrap();
        let [job, answers] = ["job", "answers"].map(|name| place.path().join(name));
        let mut recorder = Recorder::new(Box::new(Silent(host.clone())), &job).unwrap();
        let [clock, kernels] = [1, 2].map(artifact);
        for asked in [&clock, &kernels] {
            recorder.run(asked, &mut |_, _| true).unwrap();
        }

        let mut said = greeted(host);
        let mut requests = BufReader::new(File::open(&job).unwrap());
        let mut ticks = 0;
        while let Some(Request::Run(asked)) = wire::read_request(&mut requests).unwrap() {
            ticks += 1;
            let id = asked.kernels[0].id;
            wire::write_reply(&mut said, &Reply::Report(id, KernelReport::Executed { ticks }))
                .unwrap();
            wire::write_reply(&mut said, &Reply::Done(1)).unwrap();
        }
        std::fs::write(&answers, said).unwrap();

        let mut offline = OfflineAnswers::read(&job, &answers).unwrap();
        let mut ask = |asked: &Artifact| {
            let mut heard = None;
            offline
                .run(asked, &mut |_, report| {
                    heard = Some(report);
                    true
                })
                .unwrap();
            match heard {
                Some(KernelReport::Executed { ticks }) => ticks,
                other => panic!("{other:?}"),
            }
        };
        let times = UNIT_OF_TIME.count as u64;
        for attempt in 1..=times {
            assert_eq!(ask(&clock), attempt);
        }
        assert_eq!(ask(&clock), times, "the last one stays");
        assert_eq!([ask(&kernels), ask(&kernels)], [times + 1; 2]);
    }
}
