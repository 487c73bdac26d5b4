# throughput of VADC_VVM; 18 instances or passes
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
        vsetvli t6, zero, e32, m1, ta, mu
        winic_setup_end
        winic_function kernel_single, kernel
        vadc.vvm v8, v1, v2, v0
        vadc.vvm v9, v1, v2, v0
        vadc.vvm v10, v1, v2, v0
        vadc.vvm v11, v1, v2, v0
        vadc.vvm v12, v1, v2, v0
        vadc.vvm v13, v1, v2, v0
        vadc.vvm v14, v1, v2, v0
        vadc.vvm v15, v1, v2, v0
        vadc.vvm v16, v1, v2, v0
        vadc.vvm v17, v1, v2, v0
        vadc.vvm v18, v1, v2, v0
        vadc.vvm v19, v1, v2, v0
        vadc.vvm v20, v1, v2, v0
        vadc.vvm v21, v1, v2, v0
        vadc.vvm v22, v1, v2, v0
        vadc.vvm v23, v1, v2, v0
        vadc.vvm v24, v1, v2, v0
        vadc.vvm v25, v1, v2, v0
        winic_loop_count kernel_single
        winic_function_end
