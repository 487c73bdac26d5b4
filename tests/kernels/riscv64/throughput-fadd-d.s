# throughput of FADD_D; 18 instances or passes
        winic_setup kernel
        csrwi frm, 0
        li t6, 0x3ff45c3c9b3d6d17
        fmv.d.x f0, t6
        li t6, 0x3ff9553c9b3d6d17
        fmv.d.x f1, t6
        li t6, 0x3ff27b3e553c9b6d
        fmv.d.x f2, t6
        li t6, 0x3ff5b53d17399b55
        fmv.d.x f3, t6
        li t6, 0x3ff45c3c9b3d6d17
        fmv.d.x f4, t6
        li t6, 0x3ff9553c9b3d6d17
        fmv.d.x f5, t6
        li t6, 0x3ff27b3e553c9b6d
        fmv.d.x f6, t6
        li t6, 0x3ff5b53d17399b55
        fmv.d.x f7, t6
        li t6, 0x3ff45c3c9b3d6d17
        fmv.d.x f8, t6
        li t6, 0x3ff9553c9b3d6d17
        fmv.d.x f9, t6
        li t6, 0x3ff27b3e553c9b6d
        fmv.d.x f10, t6
        li t6, 0x3ff5b53d17399b55
        fmv.d.x f11, t6
        li t6, 0x3ff45c3c9b3d6d17
        fmv.d.x f12, t6
        li t6, 0x3ff9553c9b3d6d17
        fmv.d.x f13, t6
        li t6, 0x3ff27b3e553c9b6d
        fmv.d.x f14, t6
        li t6, 0x3ff5b53d17399b55
        fmv.d.x f15, t6
        li t6, 0x3ff45c3c9b3d6d17
        fmv.d.x f16, t6
        li t6, 0x3ff9553c9b3d6d17
        fmv.d.x f17, t6
        li t6, 0x3ff27b3e553c9b6d
        fmv.d.x f18, t6
        li t6, 0x3ff5b53d17399b55
        fmv.d.x f19, t6
        li t6, 0x3ff45c3c9b3d6d17
        fmv.d.x f20, t6
        li t6, 0x3ff9553c9b3d6d17
        fmv.d.x f21, t6
        li t6, 0x3ff27b3e553c9b6d
        fmv.d.x f22, t6
        li t6, 0x3ff5b53d17399b55
        fmv.d.x f23, t6
        li t6, 0x3ff45c3c9b3d6d17
        fmv.d.x f24, t6
        li t6, 0x3ff9553c9b3d6d17
        fmv.d.x f25, t6
        li t6, 0x3ff27b3e553c9b6d
        fmv.d.x f26, t6
        li t6, 0x3ff5b53d17399b55
        fmv.d.x f27, t6
        li t6, 0x3ff45c3c9b3d6d17
        fmv.d.x f28, t6
        li t6, 0x3ff9553c9b3d6d17
        fmv.d.x f29, t6
        li t6, 0x3ff27b3e553c9b6d
        fmv.d.x f30, t6
        li t6, 0x3ff5b53d17399b55
        fmv.d.x f31, t6
        winic_setup_end
        winic_function kernel_single, kernel
        fadd.d fa5, fs11, fs10
        fadd.d fa4, fs11, fs10
        fadd.d fa3, fs11, fs10
        fadd.d fa2, fs11, fs10
        fadd.d fa1, fs11, fs10
        fadd.d fa0, fs11, fs10
        fadd.d ft0, fs11, fs10
        fadd.d ft1, fs11, fs10
        fadd.d ft2, fs11, fs10
        fadd.d ft3, fs11, fs10
        fadd.d ft4, fs11, fs10
        fadd.d ft5, fs11, fs10
        fadd.d ft6, fs11, fs10
        fadd.d ft7, fs11, fs10
        fadd.d fa6, fs11, fs10
        fadd.d fa7, fs11, fs10
        fadd.d ft8, fs11, fs10
        fadd.d ft9, fs11, fs10
        winic_loop_count kernel_single
        winic_function_end
