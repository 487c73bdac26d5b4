# latency of FADD_D:1>0, Rotating, 0 fillers; 12 instances or passes
        winic_setup kernel
        csrwi frm, 0
        li t6, 0x3ff45c3c9b3d6d17
        fmv.d.x f0, t6
        li t6, 0x3ff9553c9b3d6d17
        fmv.d.x f1, t6
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
        li t6, 0x3ff5b53d17399b55
        fmv.d.x f27, t6
        winic_setup_end
        winic_function kernel_single, kernel
        fadd.d fa5, fa2, fs11
        fadd.d fa4, fa5, fs11
        fadd.d fa3, fa4, fs11
        fadd.d fa2, fa3, fs11
        fadd.d fa1, fa2, fs11
        fadd.d fa0, fa1, fs11
        fadd.d ft0, fa0, fs11
        fadd.d ft1, ft0, fs11
        fadd.d fa5, ft1, fs11
        fadd.d fa4, fa5, fs11
        fadd.d fa3, fa4, fs11
        fadd.d fa2, fa3, fs11
        winic_loop_count kernel_single
        winic_function_end
