# latency of FLT_D:1>0 then FMV_D_X:1>0, Rotating, 0 fillers; 6 instances or passes
        winic_setup kernel
        csrwi frm, 0
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
        li x10, 0x1c003c003d103c55
        li x11, 0x1c003c003d103c57
        li x12, 0x1c003c003d103c59
        li x13, 0x1c003c003d103c5b
        li x14, 0x1c003c003d103c5d
        li x15, 0x1c003c003d103c5f
        winic_setup_end
        winic_function kernel_single, kernel
        flt.d a0, fa0, fs11
        fmv.d.x fa5, a0
        flt.d a1, fa5, fs11
        fmv.d.x fa4, a1
        flt.d a2, fa4, fs11
        fmv.d.x fa3, a2
        flt.d a3, fa3, fs11
        fmv.d.x fa2, a3
        flt.d a4, fa2, fs11
        fmv.d.x fa1, a4
        flt.d a5, fa1, fs11
        fmv.d.x fa0, a5
        winic_loop_count kernel_single
        winic_function_end
