# latency of FCVT_S_D:1>0 then FCVT_D_S:1>0, Same, 0 fillers; 6 instances or passes
        winic_setup kernel
        csrwi frm, 0
        li t6, 0xffffffff3fada9e9
        fmv.d.x f15, t6
        winic_setup_end
        winic_function kernel_single, kernel
        fcvt.s.d fa5, fa5
        fcvt.d.s fa5, fa5, dyn
        fcvt.s.d fa5, fa5
        fcvt.d.s fa5, fa5, dyn
        fcvt.s.d fa5, fa5
        fcvt.d.s fa5, fa5, dyn
        fcvt.s.d fa5, fa5
        fcvt.d.s fa5, fa5, dyn
        fcvt.s.d fa5, fa5
        fcvt.d.s fa5, fa5, dyn
        fcvt.s.d fa5, fa5
        fcvt.d.s fa5, fa5, dyn
        winic_loop_count kernel_single
        winic_function_end
