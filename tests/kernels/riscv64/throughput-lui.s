# throughput of LUI; 18 instances or passes
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
        lui a0, 5
        lui a1, 5
        lui a2, 5
        lui a3, 5
        lui a4, 5
        lui a5, 5
        lui a6, 5
        lui a7, 5
        lui t0, 5
        lui t1, 5
        lui t2, 5
        lui t3, 5
        lui t4, 5
        lui t5, 5
        lui t6, 5
        lui s0, 5
        lui s1, 5
        lui s2, 5
        winic_loop_count kernel_single
        winic_function_end
