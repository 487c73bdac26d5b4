# latency of ADD:1>0, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        li x1, 0x1c003c003d103c43
        li x10, 0x1c003c003d103c55
        winic_setup_end
        winic_function kernel_single, kernel
        add a0, a0, ra
        add a0, a0, ra
        add a0, a0, ra
        add a0, a0, ra
        add a0, a0, ra
        add a0, a0, ra
        add a0, a0, ra
        add a0, a0, ra
        add a0, a0, ra
        add a0, a0, ra
        add a0, a0, ra
        add a0, a0, ra
        winic_loop_count kernel_single
        winic_function_end
