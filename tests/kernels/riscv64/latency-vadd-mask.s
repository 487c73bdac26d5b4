# latency of VADD_VV@e32m1m:3>0 then VMV_V_V:1>0, Rotating, 0 fillers; 6 instances or passes
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
        li t6, 0x3e553e553e553e55
        vmv.v.x v9, t6
        li t6, 0x3c9b3c9b3c9b3c9b
        vmv.v.x v10, t6
        li t6, 0x3d6d3d6d3d6d3d6d
        vmv.v.x v11, t6
        li t6, 0x3d173d173d173d17
        vmv.v.x v12, t6
        li t6, 0x3e553e553e553e55
        vmv.v.x v13, t6
        vsetvli t6, zero, e32, m1, ta, mu
        winic_setup_end
        winic_function kernel_single, kernel
        vadd.vv v8, v1, v2, v0.t
        vmv.v.v v0, v8
        vadd.vv v9, v1, v2, v0.t
        vmv.v.v v0, v9
        vadd.vv v10, v1, v2, v0.t
        vmv.v.v v0, v10
        vadd.vv v11, v1, v2, v0.t
        vmv.v.v v0, v11
        vadd.vv v12, v1, v2, v0.t
        vmv.v.v v0, v12
        vadd.vv v13, v1, v2, v0.t
        vmv.v.v v0, v13
        winic_loop_count kernel_single
        winic_function_end
