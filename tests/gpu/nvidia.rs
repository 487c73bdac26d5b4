//! NVIDIA's forms and kernels.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use winic::gpu::form::{ChainLink, GpuExperiment};
use winic::gpu::nvidia::{
    INSTANCES, Processor, PtxForm, PtxKernel, PtxKind, count, group_forms, is_mma, module,
    of_intrinsic,
};
use winic::llvm::intrinsics;

use crate::golden;

/// The forms of `mma` that LLVM has intrinsics of.
fn forms() -> Vec<PtxForm> {
    let all = intrinsics(is_mma);
    all.iter().filter_map(|it| of_intrinsic(&it.name, it.signature.as_deref()?)).collect()
}

#[test]
fn the_instruction_of_each_intrinsic_is_the_one_that_llvm_prints() {
    let forms = forms();
    let count = |kind| forms.iter().filter(|form| form.kind == kind).count();
    let counts =
        [PtxKind::Dense, PtxKind::Sparse, PtxKind::Scaled, PtxKind::SparseScaled].map(count);
    assert_eq!(counts, [144, 138, 54, 54]);
    let table = include_str!("../../reference/gpu/nvptx-mma-forms.tsv");
    let printed: BTreeMap<&str, &str> =
        table.lines().skip(1).filter_map(|line| line.split_once('\t')).collect();
    let mut checked = 0;
    for form in &forms {
        let printed = printed[form.intrinsic.as_deref().unwrap()];
        // (LLVM's back end selects the others on no target.)
        if !printed.is_empty() {
            assert_eq!(form.name, printed, "{:?}", form.intrinsic);
            checked += 1;
        }
    }
    assert!(checked >= 330, "{checked}");
}

fn dense(name: &str) -> PtxForm {
    let all = forms();
    all.into_iter().find(|form| form.name == name).unwrap_or_else(|| panic!("{name}"))
}

/// One of each family, with the processor that it is for.
fn families() -> Vec<(PtxForm, u32)> {
    let group = |name: &str, registers: bool| {
        let found = group_forms()
            .into_iter()
            .find(|it| it.name == name && (it.registers[1] > 0) == registers);
        found.unwrap_or_else(|| panic!("{name}"))
    };
    vec![
        (dense("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"), 80),
        (dense("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64"), 80),
        (dense("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32"), 80),
        (dense("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32"), 80),
        (
            dense(
                "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0",
            ),
            120,
        ),
        (group("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16", false), 90),
        (group("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8", true), 90),
    ]
}

#[test]
fn kernels_of_each_family_are_as_they_were() {
    for (form, capability) in families() {
        let [kernel, _] = PtxKernel::pair(&form, GpuExperiment::Latency(ChainLink::Addend));
        let (made, text) = module(&form, Processor { capability }, &[kernel]);
        assert_eq!(made, [kernel], "{}", form.name);
        let name = form.word().replace([':', '@'], "-");
        golden::hold(&format!("{name}.ptx"), &text);
    }
}

/// NVIDIA's assembler, where somebody has it.
fn ptxas() -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    std::env::split_paths(&paths).map(|place| place.join("ptxas")).find(|file| file.is_file())
}

#[test]
fn nvidia_s_assembler_takes_the_kernels_and_keeps_their_loops() {
    let Some(ptxas) = ptxas() else {
        eprintln!("skipped: ptxas is not in PATH (pip install nvidia-cuda-nvcc has it)");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let compile = |form: &PtxForm, capability: u32, experiment: GpuExperiment| {
        let kernels = PtxKernel::pair(form, experiment);
        let (made, text) = module(form, Processor { capability }, &kernels);
        made.first()?;
        let (source, object) = (folder.path().join("k.ptx"), folder.path().join("k.cubin"));
        std::fs::write(&source, &text).unwrap();
        let target = Processor { capability }.target();
        let done = Command::new(&ptxas)
            .args(["-arch", &target])
            .arg(&source)
            .arg("-o")
            .arg(&object)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&done.stderr).into_owned()
            + &String::from_utf8_lossy(&done.stdout);
        assert!(done.status.success(), "{} {experiment:?}: {said}\n{text}", form.name);
        let cubin = std::fs::read(&object).unwrap();
        Some(kernels.map(|kernel| {
            count(&cubin, &kernel.symbol())
                .unwrap_or_else(|error| panic!("{} {kernel:?}: {error}\n{text}", form.name))
        }))
    };
    for (form, capability) in families() {
        let Some(counted) = compile(&form, capability, GpuExperiment::Latency(ChainLink::Addend))
        else {
            continue;
        };
        assert_eq!(counted.map(|it| it.matrix()), INSTANCES, "{}", form.name);
        for experiment in GpuExperiment::ALL {
            compile(&form, capability, experiment);
        }
    }
    // On this processor numbers of eight bits are converted and multiplied as halves. The product of the same
    // factors is then made once, and the chain is one of additions: no figure of the instruction.
    let eight = dense("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32");
    let [counted, _] = compile(&eight, 90, GpuExperiment::Latency(ChainLink::Addend)).unwrap();
    assert!(counted.is_merged(INSTANCES[0]), "{counted:?}");
    // Integers of four bits are two machine instructions each.
    let four = dense("mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32");
    let [counted, _] = compile(&four, 90, GpuExperiment::Latency(ChainLink::Addend)).unwrap();
    assert!(counted.expansion(INSTANCES[0]).is_some(), "{counted:?}");
    // What is not of the result in a factor stays where it is: with a move in front of each instance the chain
    // took 32 cycles instead of 24.
    let halves = dense("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16");
    let [left, addend] = [ChainLink::Left, ChainLink::Addend]
        .map(|link| compile(&halves, 90, GpuExperiment::Latency(link)).unwrap()[1].all);
    assert!(left < addend + INSTANCES[0], "{left} {addend}");
    // Every form that a processor has, as text.
    for form in
        forms().iter().filter(|form| form.kind == PtxKind::Dense && !form.name.contains("kind::"))
    {
        compile(form, 90, GpuExperiment::Throughput(1));
    }
}
