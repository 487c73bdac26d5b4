//! Examples at the end of the help texts.

pub(super) const OF_ALL: &str = "\
Examples:
  winic TP                                   throughput of every register-only form, into a dated file
  winic ALL --x87FP -o cpu.yaml              throughput and latency of everything, in one run
  winic LAT -o cpu.yaml                      latency of every edge, merged into cpu.yaml
  winic LAT -o cpu.yaml --resume             the run above, going on where it was stopped
  winic LAT -i IMUL64rr VFMADD231PDr         two forms only; helpers are found and measured by themselves
  winic ALL -i IMUL64rr --json               their values for another program; --csv, --table, -o -
  winic -f 3.2 TP -i ADC64ri32               with a clock that is fixed at 3.2 GHz
  winic MAN -p asm/IMUL64rr_TP.s --funcName IMUL64rr_TP_single -n 48
                                             a kernel that was edited by hand
  winic -c skylake --device mca LAT          what LLVM's scheduling model of another CPU says
  winic compare cpu.yaml                     where LLVM's scheduling model of the CPU is wrong
  winic predict loop.s --database cpu.yaml   what a loop takes by what was measured
  winic conclude cpu.evidence -o again.yaml  the same values from what the run found, by any winic
  winic --runner 'ssh node winic-runner' TP  the same for another machine, which needs no LLVM
  winic --jobs 4 LAT                         four cores at once
  winic TP -i 'VADD*'                        all forms whose names LLVM begins so
  winic list                                 the forms that this CPU executes, by LLVM name

Exit status: 0 the run completed, 1 an instruction asked for by name got no value
or `compare --exit-code` found a difference or `predict` a gap in the database, 2 the run could not be done, 130 interrupted (what was measured is written).";

pub(super) const THROUGHPUT: &str = "\
Examples:
  winic TP -o cpu.yaml                  of every register-only form, merged into cpu.yaml
  winic TP -i ADC64ri32 'VADD*rr'       of one form, and of all that the pattern names
  winic -f 3.2 TP -i ADC64ri32          with a clock that is fixed at 3.2 GHz";

pub(super) const LATENCY: &str = "\
Examples:
  winic LAT -o cpu.yaml                 of every operand of every form, merged into cpu.yaml
  winic LAT -o cpu.yaml --resume        the run above, going on where it was stopped
  winic LAT -i IMUL64rr VFMADD231PDr    of two forms; helpers are found and measured by themselves";

pub(super) const PORTS: &str = "\
Examples:
  winic PORTS -o cpu.yaml                  of every form, merged into cpu.yaml
  winic PORTS -i ADD64rr VADDPSrr MOV64rm  of three forms, and what they take together, predicted and measured
  winic PORTS --mixtures 2000 --seed 7 -o cpu.yaml
                                           and predictions of 2000 random mixtures beside what they take";

pub(super) const ALL: &str = "\
Examples:
  winic ALL --x87FP -o cpu.yaml            everything that this CPU has
  winic ALL --x87FP -o cpu.yaml --resume   the run above, going on where it was stopped";

pub(super) const CORE: &str = "\
Examples:
  winic CORE                            clock, reference chains, instructions of 1 to 15 bytes, pairs
                                        that are taken as one, wrong guesses, how many are
                                        in flight, loads from each level of memory
  winic CORE -o cpu.yaml                the same, merged into cpu.yaml";

pub(super) const FORWARD: &str = "\
Examples:
  winic FORWARD > forward.tsv           a line for each width of store and load, and each offset
  winic FORWARD -o cpu.yaml             the same, merged into cpu.yaml; `winic report` shows it";

pub(super) const EXPORT: &str = "\
Examples:
  winic export osaca cpu.yaml -o ~/.osaca/data   a machine model in place of OSACA's own for this CPU,
                                                 and the ISA file that goes with it
  osaca --arch ZEN4 loop.s                       what OSACA then says of a loop
  winic export llvm cpu.yaml -o cpu.td           a scheduling model in TableGen, for LLVM's own build
  winic export exegesis cpu.yaml -o llvm         llvm/latency.yaml and llvm/inverse_throughput.yaml, for
                                                 llvm-exegesis -mode=analysis
  winic export csv cpu.yaml -o cpu.csv           a row for each value; json and xml likewise";

pub(super) const SHOW: &str = "\
Examples:
  winic show DIV64r cpu.yaml            one form
  winic show 'VADD*' IMUL64rr cpu.yaml  all that the pattern names, and another one";

pub(super) const SWEEP: &str = "\
Examples:
  winic SWEEP accumulators -i VFMADD231PDYr --svg fma.svg
                                        cycles by independent chains, and a picture of it
  winic SWEEP registers -i VADDPDYrr    whether registers stand in each other's way
  winic SWEEP transition -i ADDPSrr     what entering and leaving states costs beside it
`winic SWEEP accumulators --help` and so on have the grids.";

pub(super) const SWEEP_ACCUMULATORS: &str = "\
Examples:
  winic SWEEP accumulators -i VFMADD231PDYr IMUL64rr
                                        latency, interval and the count that saturates
  winic SWEEP accumulators -o cpu.yaml  of every form, merged into cpu.yaml
  winic SWEEP accumulators -i 'VFMADD*PDYr' --most 12 --tsv - --svg fma.svg
                                        a table on standard output, and a picture";

pub(super) const SWEEP_REGISTERS: &str = "\
Examples:
  winic SWEEP registers -i VADDPDYrr --svg registers.svg
                                        each two results against each other
  winic SWEEP registers -i VADDPDYrr --operand 1
                                        the same for the registers of the first source";

pub(super) const SWEEP_THREADS: &str = "\
Examples:
  winic SWEEP threads -i VFMADD231PDYr  one core, two, and so on: does each add as much as the first
  winic SWEEP threads -i VMOVUPSYrm --working-set 256MiB
                                        the same for loads from memory";

pub(super) const SWEEP_BANDWIDTH: &str = "\
Examples:
  winic SWEEP bandwidth -i VMOVUPSYrm VMOVUPSYmr --svg memory.svg
                                        loads and stores through all caches, and a picture
  winic SWEEP bandwidth -i VMOVUPSYrm --copy --threads 2
                                        each of two cores copies
  winic SWEEP bandwidth -i MOV64rm --working-set 4MiB --offset 4
                                        misaligned loads through the first caches";

pub(super) const SWEEP_SEQUENCES: &str = "\
Examples:
  winic SWEEP sequences -i VADDPSrr VMULPSrr VPADDDrr IMUL64rr ADD64rr
                                        all loops of one, two and three of them
  winic SWEEP sequences -i 'VADDP*Yrr' --length 2 --tsv pairs.tsv
                                        pairs, as a table";

pub(super) const SWEEP_TRANSITION: &str = "\
Examples:
  winic SWEEP transition -i ADDPSrr --state vzeroupper --svg transition.svg
                                        SSE instructions behind VZEROUPPER
  winic SWEEP transition -i VADDPDYrr --most 64
                                        every state that the architecture has";

pub(super) const SWEEP_WAVEFRONTS: &str = "\
Examples:
  winic --device cuda SWEEP wavefronts -i mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
                                        1 to 32 warps of one multiprocessor
  winic --device scoreboard:reference/gpu/mi250x.yaml SWEEP wavefronts
                                        the machine that a file describes";

pub(super) const SWEEP_POWER: &str = "\
Examples:
  winic --device hip -c gfx90a SWEEP power -i V_MFMA_F64_16X16X4F64_gfx90a_acd --data random
                                        watts by throughput, with random factors
  winic --device scoreboard:reference/gpu/mi250x.yaml SWEEP power";

pub(super) const SWEEP_PRODUCTS: &str = "\
Examples:
  winic --device cuda SWEEP products -i DGEMM HSS -o gpu.yaml
                                        cuBLAS, beside the peaks of the sweeps that gpu.yaml has
  winic --device hip -c gfx90a SWEEP products --largest 16384 --tsv -";

pub(super) const CONCLUDE: &str = "\
Examples:
  winic conclude cpu.evidence -o again.yaml     the database that the run came to
  winic conclude old.evidence new.evidence --table
                                                what two runs on one machine say together";

pub(super) const MANUAL: &str = "\
Example:
  winic MAN -p asm/IMUL64rr_TP.s --funcName IMUL64rr_TP_single -n 48
                                        a kernel that -i left in asm/, edited by hand";

pub(super) const PREDICT: &str = "\
Exits with 1 if the database lacks something of a region: then the bounds are too low.

Examples:
  winic predict loop.s --database cpu.yaml
                                        bounds by ports, by the slowest chain and by the front end
  winic predict loop.s --database cpu.yaml --measure
                                        and what its regions take on this machine";

pub(super) const LIST: &str = "\
A pattern without an @ stands for names without a configuration; 'VADD_VV@*' for all of RISC-V's,
'MOV64rm@*' for the addressing modes of x86-64's.

Examples:
  winic list 'VADD*rr' --numbers                 with the numbers that --minOpcode takes
  winic list --isa-extension avx512bw --json     all that is known of the forms of AVX512BW
  winic -m aarch64 list --reads ZPR --noProbe    what reads vectors of SVE";

pub(super) const REPORT: &str = "\
Examples:
  winic report cpu.yaml | less          all of it: values, ways back, proofs of intervals
  winic report cpu.yaml -i 'IMUL*'      of some forms
  winic report zen4.yaml zen5.yaml -o pages
                                        a site of both: open pages/index.html";

pub(super) const DIFF: &str = "\
Exits with 0 if nothing differs, with 1 if something does.

Examples:
  winic diff before.yaml after.yaml             what another run, kernel or microcode changed
  winic diff zen4.yaml zen5.yaml -i 'VP*' | less -R";

pub(super) const PLOT: &str = "\
Examples:
  winic plot zen4.yaml granite.yaml -i VFMADD231PDYr --svg fma.svg
                                        accumulators of one form on two machines
  winic plot cpu.yaml --kind bandwidth --svg memory.svg";

pub(super) const COMPARE: &str = "\
Examples:
  winic compare cpu.yaml                where LLVM's scheduling model of the CPU is wrong
  winic compare cpu.yaml other.yaml     where two databases differ
  winic compare cpu.yaml zen4.xlsx instructions.xml@ZEN4 dump.txt
                                        beside AMD's spreadsheet, uops.info and InstLatx64";
