# throughput of ADD; 18 instances or passes
        winic_setup kernel
        li x1, 0x1c003c003d103c43
        li x5, 0x1c003c003d103c4b
        li x6, 0x1c003c003d103c4d
        li x7, 0x1c003c003d103c4f
        li x8, 0x1c003c003d103c51
        li x9, 0x1c003c003d103c53
        li x10, 0x1c003c003d103c55
        li x11, 0x1c003c003d103c57
        li x12, 0x1c003c003d103c59
        li x13, 0x1c003c003d103c5b
        li x14, 0x1c003c003d103c5d
        li x15, 0x1c003c003d103c5f
        li x16, 0x1c003c003d103c61
        li x17, 0x1c003c003d103c63
        li x18, 0x1c003c003d103c65
        li x19, 0x1c003c003d103c67
        li x20, 0x1c003c003d103c69
        li x21, 0x1c003c003d103c6b
        li x22, 0x1c003c003d103c6d
        li x23, 0x1c003c003d103c6f
        li x24, 0x1c003c003d103c71
        li x25, 0x1c003c003d103c73
        li x26, 0x1c003c003d103c75
        li x28, 0x1c003c003d103c79
        li x29, 0x1c003c003d103c7b
        li x30, 0x1c003c003d103c7d
        li x31, 0x1c003c003d103c7f
        winic_setup_end
        winic_function kernel_single, kernel
        add a0, ra, s10
        add a1, ra, s10
        add a2, ra, s10
        add a3, ra, s10
        add a4, ra, s10
        add a5, ra, s10
        add a6, ra, s10
        add a7, ra, s10
        add t0, ra, s10
        add t1, ra, s10
        add t2, ra, s10
        add t3, ra, s10
        add t4, ra, s10
        add t5, ra, s10
        add t6, ra, s10
        add s0, ra, s10
        add s1, ra, s10
        add s2, ra, s10
        winic_loop_count kernel_single
        winic_function_end
        winic_function kernel_double, kernel
        add a0, ra, s10
        add a1, ra, s10
        add a2, ra, s10
        add a3, ra, s10
        add a4, ra, s10
        add a5, ra, s10
        add a6, ra, s10
        add a7, ra, s10
        add t0, ra, s10
        add t1, ra, s10
        add t2, ra, s10
        add t3, ra, s10
        add t4, ra, s10
        add t5, ra, s10
        add t6, ra, s10
        add s0, ra, s10
        add s1, ra, s10
        add s2, ra, s10
        add a0, ra, s10
        add a1, ra, s10
        add a2, ra, s10
        add a3, ra, s10
        add a4, ra, s10
        add a5, ra, s10
        add a6, ra, s10
        add a7, ra, s10
        add t0, ra, s10
        add t1, ra, s10
        add t2, ra, s10
        add t3, ra, s10
        add t4, ra, s10
        add t5, ra, s10
        add t6, ra, s10
        add s0, ra, s10
        add s1, ra, s10
        add s2, ra, s10
        winic_loop_count kernel_double
        winic_function_end
