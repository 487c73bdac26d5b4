# throughput of MSR; 18 instances or passes
        winic_setup kernel
        ldr x30, [x28, #304]
        winic_setup_end
        winic_function kernel_single, kernel
        msr NZCV, x30
        msr NZCV, x30
        msr NZCV, x30
        msr NZCV, x30
        msr NZCV, x30
        msr NZCV, x30
        msr NZCV, x30
        msr NZCV, x30
        msr NZCV, x30
        msr NZCV, x30
        msr NZCV, x30
        msr NZCV, x30
        msr NZCV, x30
        msr NZCV, x30
        msr NZCV, x30
        msr NZCV, x30
        msr NZCV, x30
        msr NZCV, x30
        winic_loop_count kernel_single
        winic_function_end
