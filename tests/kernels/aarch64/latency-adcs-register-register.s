# latency of ADCSXr:1>0, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        msr nzcv, xzr
        ldr x0, [x28, #64]
        ldr x26, [x28, #272]
        ldr x27, [x28, #280]
        ldr x30, [x28, #304]
        winic_setup_end
        winic_function kernel_single, kernel
        subs x29, x27, x26
        adcs x0, x0, x30
        subs x29, x27, x26
        adcs x0, x0, x30
        subs x29, x27, x26
        adcs x0, x0, x30
        subs x29, x27, x26
        adcs x0, x0, x30
        subs x29, x27, x26
        adcs x0, x0, x30
        subs x29, x27, x26
        adcs x0, x0, x30
        subs x29, x27, x26
        adcs x0, x0, x30
        subs x29, x27, x26
        adcs x0, x0, x30
        subs x29, x27, x26
        adcs x0, x0, x30
        subs x29, x27, x26
        adcs x0, x0, x30
        subs x29, x27, x26
        adcs x0, x0, x30
        subs x29, x27, x26
        adcs x0, x0, x30
        winic_loop_count kernel_single
        winic_function_end
