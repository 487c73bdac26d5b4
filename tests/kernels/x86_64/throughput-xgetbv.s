# throughput of XGETBV; 18 instances or passes
        winic_setup kernel
        movabs rcx, 0x0
        winic_setup_end
        winic_function kernel_single, kernel
        xgetbv
        xgetbv
        xgetbv
        xgetbv
        xgetbv
        xgetbv
        xgetbv
        xgetbv
        xgetbv
        xgetbv
        xgetbv
        xgetbv
        xgetbv
        xgetbv
        xgetbv
        xgetbv
        xgetbv
        xgetbv
        winic_loop_count kernel_single
        winic_function_end
