# latency of VMV_X_S@e64m1:1>0 then VMV_S_X@e64m1:2>0, Same, 0 fillers; 6 instances or passes
        winic_setup kernel
        csrwi frm, 0
        csrwi vxrm, 0
        vsetvli t6, zero, e64, m1, ta, mu
        li t6, 0x3d173d173d173d17
        vmv.v.x v0, t6
        li t6, 0x3d173d173d173d17
        vmv.v.x v8, t6
        vsetvli t6, zero, e64, m1, ta, mu
        li x10, 0x1c003c003d103c55
        winic_setup_end
        winic_function kernel_single, kernel
        vmv.x.s a0, v8
        vmv1r.v v8, v0
        vmv.s.x v8, a0
        vmv.x.s a0, v8
        vmv1r.v v8, v0
        vmv.s.x v8, a0
        vmv.x.s a0, v8
        vmv1r.v v8, v0
        vmv.s.x v8, a0
        vmv.x.s a0, v8
        vmv1r.v v8, v0
        vmv.s.x v8, a0
        vmv.x.s a0, v8
        vmv1r.v v8, v0
        vmv.s.x v8, a0
        vmv.x.s a0, v8
        vmv1r.v v8, v0
        vmv.s.x v8, a0
        winic_loop_count kernel_single
        winic_function_end
