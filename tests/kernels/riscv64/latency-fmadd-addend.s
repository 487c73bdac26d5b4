# latency of FMADD_D:3>0, Same, 0 fillers; 12 instances or passes
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
        fmadd.d fa5, fs11, fs10, fa5
        fmadd.d fa5, fs11, fs10, fa5
        fmadd.d fa5, fs11, fs10, fa5
        fmadd.d fa5, fs11, fs10, fa5
        fmadd.d fa5, fs11, fs10, fa5
        fmadd.d fa5, fs11, fs10, fa5
        fmadd.d fa5, fs11, fs10, fa5
        fmadd.d fa5, fs11, fs10, fa5
        fmadd.d fa5, fs11, fs10, fa5
        fmadd.d fa5, fs11, fs10, fa5
        fmadd.d fa5, fs11, fs10, fa5
        fmadd.d fa5, fs11, fs10, fa5
        winic_loop_count kernel_single
        winic_function_end
