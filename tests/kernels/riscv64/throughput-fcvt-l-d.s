# throughput of FCVT_L_D; 18 instances or passes
        winic_setup kernel
        csrwi frm, 0
        li t6, 0x3ff5b53d17399b55
        fmv.d.x f27, t6
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
        fcvt.l.d a0, fs11
        fcvt.l.d a1, fs11
        fcvt.l.d a2, fs11
        fcvt.l.d a3, fs11
        fcvt.l.d a4, fs11
        fcvt.l.d a5, fs11
        fcvt.l.d a6, fs11
        fcvt.l.d a7, fs11
        fcvt.l.d t0, fs11
        fcvt.l.d t1, fs11
        fcvt.l.d t2, fs11
        fcvt.l.d t3, fs11
        fcvt.l.d t4, fs11
        fcvt.l.d t5, fs11
        fcvt.l.d t6, fs11
        fcvt.l.d s0, fs11
        fcvt.l.d s1, fs11
        fcvt.l.d s2, fs11
        winic_loop_count kernel_single
        winic_function_end
