# latency of FDIVDrr:1>0 then ANDv16i8:1>0=0 then ORRv16i8:1>0=FDIVDrr:1, Same, 0 fillers; 6 instances or passes
        winic_setup kernel
        ldr q0, [x28, #0]
        ldr q29, [x28, #16]
        movi v30.2d, #0
        ldr q31, [x28, #48]
        winic_setup_end
        winic_function kernel_single, kernel
        fdiv d0, d0, d31
        and v0.16b, v0.16b, v30.16b
        orr v0.16b, v0.16b, v29.16b
        fdiv d0, d0, d31
        and v0.16b, v0.16b, v30.16b
        orr v0.16b, v0.16b, v29.16b
        fdiv d0, d0, d31
        and v0.16b, v0.16b, v30.16b
        orr v0.16b, v0.16b, v29.16b
        fdiv d0, d0, d31
        and v0.16b, v0.16b, v30.16b
        orr v0.16b, v0.16b, v29.16b
        fdiv d0, d0, d31
        and v0.16b, v0.16b, v30.16b
        orr v0.16b, v0.16b, v29.16b
        fdiv d0, d0, d31
        and v0.16b, v0.16b, v30.16b
        orr v0.16b, v0.16b, v29.16b
        winic_loop_count kernel_single
        winic_function_end
