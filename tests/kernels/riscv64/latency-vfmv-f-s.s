# latency of VFMV_F_S@e64m1:1>0 then VFMV_V_F@e64m1:1>0, Same, 0 fillers; 6 instances or passes
        winic_setup kernel
        csrwi frm, 0
        csrwi vxrm, 0
        vsetvli t6, zero, e64, m1, ta, mu
        li t6, 0x3d173d173d173d17
        vmv.v.x v8, t6
        vsetvli t6, zero, e64, m1, ta, mu
        li t6, 0x3ff5b53d17399b55
        fmv.d.x f15, t6
        winic_setup_end
        winic_function kernel_single, kernel
        vfmv.f.s fa5, v8
        vfmv.v.f v8, fa5
        vfmv.f.s fa5, v8
        vfmv.v.f v8, fa5
        vfmv.f.s fa5, v8
        vfmv.v.f v8, fa5
        vfmv.f.s fa5, v8
        vfmv.v.f v8, fa5
        vfmv.f.s fa5, v8
        vfmv.v.f v8, fa5
        vfmv.f.s fa5, v8
        vfmv.v.f v8, fa5
        winic_loop_count kernel_single
        winic_function_end
