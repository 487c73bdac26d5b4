//! Machines that nobody can reach: what would be asked of one is kept in a file, a runner there answers all of it
//! at once (`winic-runner < JOB > ANSWERS`), and its answers stand for the machine.
//!
//! A job is what the driver says over a pipe, and answers are what the runner says ([`wire`](super::wire)). A
//! job is recorded while another machine is asked the same, so what would be asked only because of an
//! unlike answer is not in it: that counts as not modelled. Of sweeps next to everything is asked at once.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use super::wire::{self, Reply, Request};
use super::{Device, DeviceError, Fault, HostDescription, KernelReport};
use crate::artifact::{Artifact, KernelFunctions, KernelId};

/// A device that keeps what it is asked.
pub struct Recorder {
    device: Box<dyn Device>,
    job: BufWriter<File>,
}

impl Recorder {
    /// Keeps what is asked of a device in a new file.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn new(device: Box<dyn Device>, job: &Path) -> std::io::Result<Self> {
        Ok(Self { device, job: BufWriter::new(File::create(job)?) })
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
        wire::write_request(&mut self.job, artifact)?;
        self.job.flush()?;
        self.device.run(artifact, deliver)
    }
}

/// A kernel by what makes it that kernel: the shared object it is in, and its functions.
type KernelKey = (u64, String);

/// Answers of a machine to a job.
pub struct OfflineAnswers {
    host: HostDescription,
    known: HashMap<KernelKey, KernelReport>,
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
                        log::debug!("request {asked} was refused: {reason}");
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
            self.known.insert(key(&artifact.image, kernel), report);
        }
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
            let known = self.known.get(&key(&artifact.image, kernel)).cloned();
            let report = known.unwrap_or(KernelReport::Faulted(Fault::NotModelled));
            if !deliver(kernel.id, report) {
                break;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
