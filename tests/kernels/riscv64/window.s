# two chains of FDIV_D with 8 fillers between them; 4 instances or passes
        winic_setup kernel
        csrwi frm, 0
        li t6, 0x3ff27b3e553c9b6d
        fmv.d.x f14, t6
        li t6, 0x3ff5b53d17399b55
        fmv.d.x f15, t6
        li t6, 0x3ff5b53d17399b55
        fmv.d.x f27, t6
        winic_setup_end
        winic_function kernel_single, kernel
        fdiv.d fa5, fs11, fa5
        fdiv.d fa5, fs11, fa5
        fdiv.d fa5, fs11, fa5
        fdiv.d fa5, fs11, fa5
        .rept 8
        .ascii "\023\000\000\000"
        .endr
        fdiv.d fa4, fs11, fa4
        fdiv.d fa4, fs11, fa4
        fdiv.d fa4, fs11, fa4
        fdiv.d fa4, fs11, fa4
        .rept 8
        .ascii "\023\000\000\000"
        .endr
        winic_loop_count kernel_single
        winic_function_end
