# latency of VMACC_VV@e64m4:1>0, Same, 0 fillers; 12 instances or passes
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
        li t6, 0x3d6d3d6d3d6d3d6d
        vmv.v.x v3, t6
        li t6, 0x3d173d173d173d17
        vmv.v.x v4, t6
        li t6, 0x3e553e553e553e55
        vmv.v.x v5, t6
        li t6, 0x3c9b3c9b3c9b3c9b
        vmv.v.x v6, t6
        li t6, 0x3d6d3d6d3d6d3d6d
        vmv.v.x v7, t6
        li t6, 0x3d173d173d173d17
        vmv.v.x v8, t6
        li t6, 0x3e553e553e553e55
        vmv.v.x v9, t6
        li t6, 0x3c9b3c9b3c9b3c9b
        vmv.v.x v10, t6
        li t6, 0x3d6d3d6d3d6d3d6d
        vmv.v.x v11, t6
        vsetvli t6, zero, e64, m4, ta, mu
        winic_setup_end
        winic_function kernel_single, kernel
        vmacc.vv v8, v0, v4
        vmacc.vv v8, v0, v4
        vmacc.vv v8, v0, v4
        vmacc.vv v8, v0, v4
        vmacc.vv v8, v0, v4
        vmacc.vv v8, v0, v4
        vmacc.vv v8, v0, v4
        vmacc.vv v8, v0, v4
        vmacc.vv v8, v0, v4
        vmacc.vv v8, v0, v4
        vmacc.vv v8, v0, v4
        vmacc.vv v8, v0, v4
        winic_loop_count kernel_single
        winic_function_end
