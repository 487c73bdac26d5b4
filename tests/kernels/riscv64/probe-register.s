# does X17 exist; 1 instances or passes
        winic_setup kernel
        winic_setup_end
        winic_function kernel_single, kernel
        add a7, ra, s10
        winic_loop_count kernel_single
        winic_function_end
