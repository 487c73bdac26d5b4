# latency of CMC:EFLAGS>EFLAGS, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        winic_setup_end
        winic_function kernel_single, kernel
        cmc
        cmc
        cmc
        cmc
        cmc
        cmc
        cmc
        cmc
        cmc
        cmc
        cmc
        cmc
        winic_loop_flagless kernel_single
        winic_function_end
