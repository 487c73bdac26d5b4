# does ZMM17 exist; 1 instances or passes
        winic_setup kernel
        winic_setup_end
        winic_function kernel_single, kernel
        vaddpd zmm17, zmm15, zmm14
        winic_loop_count kernel_single
        vzeroupper
        winic_function_end
