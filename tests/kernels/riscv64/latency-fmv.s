# latency of FMV_X_D:1>0 then FMV_D_X:1>0, Same, 0 fillers; 6 instances or passes
        winic_setup kernel
        csrwi frm, 0
        li t6, 0x3ff5b53d17399b55
        fmv.d.x f15, t6
        li x10, 0x1c003c003d103c55
        winic_setup_end
        winic_function kernel_single, kernel
        fmv.x.d a0, fa5
        fmv.d.x fa5, a0
        fmv.x.d a0, fa5
        fmv.d.x fa5, a0
        fmv.x.d a0, fa5
        fmv.d.x fa5, a0
        fmv.x.d a0, fa5
        fmv.d.x fa5, a0
        fmv.x.d a0, fa5
        fmv.d.x fa5, a0
        fmv.x.d a0, fa5
        fmv.d.x fa5, a0
        winic_loop_count kernel_single
        winic_function_end
