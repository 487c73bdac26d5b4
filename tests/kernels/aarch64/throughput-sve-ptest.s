# throughput of PTEST_PP; 18 instances or passes
        winic_setup kernel
        ptrue p14.b
        ptrue p15.b
        winic_setup_end
        winic_function kernel_single, kernel
        ptest p15, p14.b
        ptest p15, p14.b
        ptest p15, p14.b
        ptest p15, p14.b
        ptest p15, p14.b
        ptest p15, p14.b
        ptest p15, p14.b
        ptest p15, p14.b
        ptest p15, p14.b
        ptest p15, p14.b
        ptest p15, p14.b
        ptest p15, p14.b
        ptest p15, p14.b
        ptest p15, p14.b
        ptest p15, p14.b
        ptest p15, p14.b
        ptest p15, p14.b
        ptest p15, p14.b
        winic_loop_count kernel_single
        winic_function_end
