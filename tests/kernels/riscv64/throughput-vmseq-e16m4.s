# throughput of VMSEQ_VV@e16m4; 18 instances or passes
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
        li t6, 0x3d173d173d173d17
        vmv.v.x v12, t6
        li t6, 0x3e553e553e553e55
        vmv.v.x v13, t6
        li t6, 0x3c9b3c9b3c9b3c9b
        vmv.v.x v14, t6
        li t6, 0x3d6d3d6d3d6d3d6d
        vmv.v.x v15, t6
        li t6, 0x3d173d173d173d17
        vmv.v.x v16, t6
        li t6, 0x3e553e553e553e55
        vmv.v.x v17, t6
        li t6, 0x3c9b3c9b3c9b3c9b
        vmv.v.x v18, t6
        li t6, 0x3d6d3d6d3d6d3d6d
        vmv.v.x v19, t6
        li t6, 0x3d173d173d173d17
        vmv.v.x v20, t6
        li t6, 0x3e553e553e553e55
        vmv.v.x v21, t6
        li t6, 0x3c9b3c9b3c9b3c9b
        vmv.v.x v22, t6
        li t6, 0x3d6d3d6d3d6d3d6d
        vmv.v.x v23, t6
        li t6, 0x3d173d173d173d17
        vmv.v.x v24, t6
        li t6, 0x3e553e553e553e55
        vmv.v.x v25, t6
        li t6, 0x3c9b3c9b3c9b3c9b
        vmv.v.x v26, t6
        li t6, 0x3d6d3d6d3d6d3d6d
        vmv.v.x v27, t6
        li t6, 0x3d173d173d173d17
        vmv.v.x v28, t6
        li t6, 0x3e553e553e553e55
        vmv.v.x v29, t6
        li t6, 0x3c9b3c9b3c9b3c9b
        vmv.v.x v30, t6
        li t6, 0x3d6d3d6d3d6d3d6d
        vmv.v.x v31, t6
        vsetvli t6, zero, e16, m4, ta, mu
        winic_setup_end
        winic_function kernel_single, kernel
        vmseq.vv v8, v0, v4
        vmseq.vv v9, v0, v4
        vmseq.vv v10, v0, v4
        vmseq.vv v11, v0, v4
        vmseq.vv v12, v0, v4
        vmseq.vv v13, v0, v4
        vmseq.vv v14, v0, v4
        vmseq.vv v15, v0, v4
        vmseq.vv v16, v0, v4
        vmseq.vv v17, v0, v4
        vmseq.vv v18, v0, v4
        vmseq.vv v19, v0, v4
        vmseq.vv v20, v0, v4
        vmseq.vv v21, v0, v4
        vmseq.vv v22, v0, v4
        vmseq.vv v23, v0, v4
        vmseq.vv v24, v0, v4
        vmseq.vv v25, v0, v4
        winic_loop_count kernel_single
        winic_function_end
