# latency of VADD_VV@e32m1m:0>0, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        csrwi frm, 0
        csrwi vxrm, 0
        vsetvli t6, zero, e64, m1, ta, mu
        li t6, 0x3d173d173d173d17
        vmv.v.x v0, t6
        li t6, 0x3e553e553e553e55
        vmv.v.x v1, t6
        li t6, 0x3c9b3c9b3c9b3c9b
        vmv.v.x v2, t6
        li t6, 0x3d173d173d173d17
        vmv.v.x v8, t6
        vsetvli t6, zero, e32, m1, ta, mu
        winic_setup_end
        winic_function kernel_single, kernel
        vadd.vv v8, v1, v2, v0.t
        vadd.vv v8, v1, v2, v0.t
        vadd.vv v8, v1, v2, v0.t
        vadd.vv v8, v1, v2, v0.t
        vadd.vv v8, v1, v2, v0.t
        vadd.vv v8, v1, v2, v0.t
        vadd.vv v8, v1, v2, v0.t
        vadd.vv v8, v1, v2, v0.t
        vadd.vv v8, v1, v2, v0.t
        vadd.vv v8, v1, v2, v0.t
        vadd.vv v8, v1, v2, v0.t
        vadd.vv v8, v1, v2, v0.t
        winic_loop_count kernel_single
        winic_function_end
