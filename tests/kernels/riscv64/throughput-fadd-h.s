# throughput of FADD_H; 18 instances or passes
        winic_setup kernel
        csrwi frm, 0
        li t6, 0xffffffffffff3d17
        fmv.d.x f0, t6
        li t6, 0xffffffffffff3e55
        fmv.d.x f1, t6
        li t6, 0xffffffffffff3c9b
        fmv.d.x f2, t6
        li t6, 0xffffffffffff3d6d
        fmv.d.x f3, t6
        li t6, 0xffffffffffff3d17
        fmv.d.x f4, t6
        li t6, 0xffffffffffff3e55
        fmv.d.x f5, t6
        li t6, 0xffffffffffff3c9b
        fmv.d.x f6, t6
        li t6, 0xffffffffffff3d6d
        fmv.d.x f7, t6
        li t6, 0xffffffffffff3d17
        fmv.d.x f8, t6
        li t6, 0xffffffffffff3e55
        fmv.d.x f9, t6
        li t6, 0xffffffffffff3c9b
        fmv.d.x f10, t6
        li t6, 0xffffffffffff3d6d
        fmv.d.x f11, t6
        li t6, 0xffffffffffff3d17
        fmv.d.x f12, t6
        li t6, 0xffffffffffff3e55
        fmv.d.x f13, t6
        li t6, 0xffffffffffff3c9b
        fmv.d.x f14, t6
        li t6, 0xffffffffffff3d6d
        fmv.d.x f15, t6
        li t6, 0xffffffffffff3d17
        fmv.d.x f16, t6
        li t6, 0xffffffffffff3e55
        fmv.d.x f17, t6
        li t6, 0xffffffffffff3c9b
        fmv.d.x f18, t6
        li t6, 0xffffffffffff3d6d
        fmv.d.x f19, t6
        li t6, 0xffffffffffff3d17
        fmv.d.x f20, t6
        li t6, 0xffffffffffff3e55
        fmv.d.x f21, t6
        li t6, 0xffffffffffff3c9b
        fmv.d.x f22, t6
        li t6, 0xffffffffffff3d6d
        fmv.d.x f23, t6
        li t6, 0xffffffffffff3d17
        fmv.d.x f24, t6
        li t6, 0xffffffffffff3e55
        fmv.d.x f25, t6
        li t6, 0xffffffffffff3c9b
        fmv.d.x f26, t6
        li t6, 0xffffffffffff3d6d
        fmv.d.x f27, t6
        li t6, 0xffffffffffff3d17
        fmv.d.x f28, t6
        li t6, 0xffffffffffff3e55
        fmv.d.x f29, t6
        li t6, 0xffffffffffff3c9b
        fmv.d.x f30, t6
        li t6, 0xffffffffffff3d6d
        fmv.d.x f31, t6
        winic_setup_end
        winic_function kernel_single, kernel
        fadd.h fa5, fs11, fs10
        fadd.h fa4, fs11, fs10
        fadd.h fa3, fs11, fs10
        fadd.h fa2, fs11, fs10
        fadd.h fa1, fs11, fs10
        fadd.h fa0, fs11, fs10
        fadd.h ft0, fs11, fs10
        fadd.h ft1, fs11, fs10
        fadd.h ft2, fs11, fs10
        fadd.h ft3, fs11, fs10
        fadd.h ft4, fs11, fs10
        fadd.h ft5, fs11, fs10
        fadd.h ft6, fs11, fs10
        fadd.h ft7, fs11, fs10
        fadd.h fa6, fs11, fs10
        fadd.h fa7, fs11, fs10
        fadd.h ft8, fs11, fs10
        fadd.h ft9, fs11, fs10
        winic_loop_count kernel_single
        winic_function_end
