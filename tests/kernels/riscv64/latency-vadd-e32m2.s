# latency of VADD_VV@e32m2:1>0, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        csrwi frm, 0
        csrwi vxrm, 0
        vsetvli t6, zero, e64, m1, ta, mu
        li t6, 0x3d173d173d173d17
        vmv.v.x v0, t6
        li t6, 0x3e553e553e553e55
        vmv.v.x v1, t6
        li t6, 0x3d173d173d173d17
        vmv.v.x v8, t6
        li t6, 0x3e553e553e553e55
        vmv.v.x v9, t6
        vsetvli t6, zero, e32, m2, ta, mu
        winic_setup_end
        winic_function kernel_single, kernel
        vadd.vv v8, v8, v0
        vadd.vv v8, v8, v0
        vadd.vv v8, v8, v0
        vadd.vv v8, v8, v0
        vadd.vv v8, v8, v0
        vadd.vv v8, v8, v0
        vadd.vv v8, v8, v0
        vadd.vv v8, v8, v0
        vadd.vv v8, v8, v0
        vadd.vv v8, v8, v0
        vadd.vv v8, v8, v0
        vadd.vv v8, v8, v0
        winic_loop_count kernel_single
        winic_function_end
