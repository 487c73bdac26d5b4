# latency of MSR:1>NZCV then MRS:NZCV>0, Same, 0 fillers; 6 instances or passes
        winic_setup kernel
        msr nzcv, xzr
        ldr x0, [x28, #64]
        winic_setup_end
        winic_function kernel_single, kernel
        msr NZCV, x0
        mrs x0, NZCV
        msr NZCV, x0
        mrs x0, NZCV
        msr NZCV, x0
        mrs x0, NZCV
        msr NZCV, x0
        mrs x0, NZCV
        msr NZCV, x0
        mrs x0, NZCV
        msr NZCV, x0
        mrs x0, NZCV
        winic_loop_count kernel_single
        winic_function_end
