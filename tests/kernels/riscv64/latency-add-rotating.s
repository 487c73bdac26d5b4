# latency of ADD:1>0, Rotating, 0 fillers; 12 instances or passes
        winic_setup kernel
        li x1, 0x1c003c003d103c43
        li x10, 0x1c003c003d103c55
        li x11, 0x1c003c003d103c57
        li x12, 0x1c003c003d103c59
        li x13, 0x1c003c003d103c5b
        li x14, 0x1c003c003d103c5d
        li x15, 0x1c003c003d103c5f
        li x16, 0x1c003c003d103c61
        li x17, 0x1c003c003d103c63
        winic_setup_end
        winic_function kernel_single, kernel
        add a0, a3, ra
        add a1, a0, ra
        add a2, a1, ra
        add a3, a2, ra
        add a4, a3, ra
        add a5, a4, ra
        add a6, a5, ra
        add a7, a6, ra
        add a0, a7, ra
        add a1, a0, ra
        add a2, a1, ra
        add a3, a2, ra
        winic_loop_count kernel_single
        winic_function_end
