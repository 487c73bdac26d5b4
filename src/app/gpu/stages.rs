//! What a run would do, written down: `--stop-after`, and the kernels of forms that were named.

use std::path::{Path, PathBuf};

use super::Vendor;
use crate::app::Failure;
use crate::app::failure::unwritable;
use crate::cli::{Measure, Stage};
use crate::gpu::AskedOfGpu;
use crate::gpu::form::Data;

/// Where modules go; kernels go where those of forms named with `-i` do.
const ARTIFACTS: &str = "artifacts";

/// Prints the forms or their experiments, or writes their kernels or modules.
pub(super) fn stop(
    stage: Stage,
    (vendor, chosen): (&mut dyn Vendor, &[usize]),
    asked: AskedOfGpu,
    options: &Measure,
) -> Result<(), Failure> {
    let forms = vendor.forms();
    for &form in chosen {
        match stage {
            Stage::Forms => println!("{}", vendor.describe(form)),
            Stage::Plan => {
                for (experiment, _) in vendor.texts(form, asked)? {
                    println!("{}\t{}", forms[form].name, experiment.word());
                }
            }
            Stage::Kernels => {
                for file in write(&options.asm, vendor, form, asked)? {
                    println!("{}", file.display());
                }
            }
            Stage::Artifacts => {
                for (experiment, _) in vendor.texts(form, asked)? {
                    let Some(bench) = vendor.kernel(form, experiment, Data::Ones)? else {
                        continue;
                    };
                    let name = format!("{}-{}", forms[form].name, experiment.word());
                    let kind = vendor.extensions()[1];
                    let file = put(Path::new(ARTIFACTS), &name, kind, &bench.module)?;
                    println!("{}", file.display());
                }
            }
        }
    }
    Ok(())
}

/// Writes the kernels of a form, a file each; returns the files.
pub(super) fn write(
    folder: &Path,
    vendor: &mut dyn Vendor,
    form: usize,
    asked: AskedOfGpu,
) -> Result<Vec<PathBuf>, Failure> {
    let (name, kind) = (vendor.forms()[form].name.clone(), vendor.extensions()[0]);
    let texts = vendor.texts(form, asked)?.into_iter();
    let put = |(experiment, text): (crate::gpu::form::GpuExperiment, String)| {
        put(folder, &format!("{name}-{}", experiment.word()), kind, text.as_bytes())
    };
    texts.map(put).collect()
}

fn put(folder: &Path, name: &str, kind: &str, bytes: &[u8]) -> Result<PathBuf, Failure> {
    // (PTX has colons in names, which not every file system takes.)
    let path = folder.join(format!("{}.{kind}", name.replace(':', "-")));
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&path, bytes))
        .map_err(|error| unwritable(&path, &error))?;
    Ok(path)
}
