# throughput of ADD_FST0r; 18 instances or passes
        winic_setup kernel
        call winic_fill_x87
        winic_setup_end
        winic_function kernel_single, kernel
        fadd st, st(5)
        fadd st, st(5)
        fadd st, st(5)
        fadd st, st(5)
        fadd st, st(5)
        fadd st, st(5)
        fadd st, st(5)
        fadd st, st(5)
        fadd st, st(5)
        fadd st, st(5)
        fadd st, st(5)
        fadd st, st(5)
        fadd st, st(5)
        fadd st, st(5)
        fadd st, st(5)
        fadd st, st(5)
        fadd st, st(5)
        fadd st, st(5)
        winic_loop_count kernel_single
        fninit
        winic_function_end
