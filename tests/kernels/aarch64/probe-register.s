# does Z31 exist; 1 instances or passes
        winic_setup kernel
        winic_setup_end
        winic_function kernel_single, kernel
        add z31.d, z31.d, z30.d
        winic_loop_count kernel_single
        winic_function_end
