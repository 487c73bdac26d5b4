# latency of ADCSXr:NZCV>NZCV, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        msr nzcv, xzr
        ldr x25, [x28, #264]
        ldr x26, [x28, #272]
        ldr x27, [x28, #280]
        ldr x29, [x28, #296]
        ldr x30, [x28, #304]
        winic_setup_end
        winic_function kernel_single, kernel
        adcs x30, x26, x25
        adcs x29, x26, x25
        adcs x27, x26, x25
        adcs x30, x26, x25
        adcs x29, x26, x25
        adcs x27, x26, x25
        adcs x30, x26, x25
        adcs x29, x26, x25
        adcs x27, x26, x25
        adcs x30, x26, x25
        adcs x29, x26, x25
        adcs x27, x26, x25
        winic_loop_flagless kernel_single
        winic_function_end
