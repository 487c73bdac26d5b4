# latency of FDIV_D:1>0 then FSGNJ_D:2>0=FDIV_D:1, Same, 0 fillers; 6 instances or passes
        winic_setup kernel
        csrwi frm, 0
        li t6, 0x3ff5b53d17399b55
        fmv.d.x f15, t6
        li t6, 0x3ff27b3e553c9b6d
        fmv.d.x f26, t6
        li t6, 0x3ff5b53d17399b55
        fmv.d.x f27, t6
        winic_setup_end
        winic_function kernel_single, kernel
        fdiv.d fa5, fa5, fs11
        fsgnj.d fa5, fs10, fa5
        fdiv.d fa5, fa5, fs11
        fsgnj.d fa5, fs10, fa5
        fdiv.d fa5, fa5, fs11
        fsgnj.d fa5, fs10, fa5
        fdiv.d fa5, fa5, fs11
        fsgnj.d fa5, fs10, fa5
        fdiv.d fa5, fa5, fs11
        fsgnj.d fa5, fs10, fa5
        fdiv.d fa5, fa5, fs11
        fsgnj.d fa5, fs10, fa5
        winic_loop_count kernel_single
        winic_function_end
