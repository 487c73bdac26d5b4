# latency of VDIV_VV@e64m2:1>0 then VAND_VV@e64m2:1>0=0 then VOR_VV@e64m2:1>0=VDIV_VV@e64m2:1, Same, 0 fillers; 6 instances or passes
        winic_setup kernel
        csrwi frm, 0
        csrwi vxrm, 0
        vsetvli t6, zero, e64, m1, ta, mu
        li t6, 0x305030503050305
        vmv.v.x v0, t6
        li t6, 0x305030503050305
        vmv.v.x v1, t6
        li t6, 0x0
        vmv.v.x v2, t6
        li t6, 0x0
        vmv.v.x v3, t6
        li t6, 0x3d173d173d173d17
        vmv.v.x v4, t6
        li t6, 0x3e553e553e553e55
        vmv.v.x v5, t6
        li t6, 0x3d173d173d173d17
        vmv.v.x v8, t6
        li t6, 0x3e553e553e553e55
        vmv.v.x v9, t6
        vsetvli t6, zero, e64, m2, ta, mu
        winic_setup_end
        winic_function kernel_single, kernel
        vdiv.vv v8, v8, v0
        vand.vv v8, v8, v2
        vor.vv v8, v8, v4
        vdiv.vv v8, v8, v0
        vand.vv v8, v8, v2
        vor.vv v8, v8, v4
        vdiv.vv v8, v8, v0
        vand.vv v8, v8, v2
        vor.vv v8, v8, v4
        vdiv.vv v8, v8, v0
        vand.vv v8, v8, v2
        vor.vv v8, v8, v4
        vdiv.vv v8, v8, v0
        vand.vv v8, v8, v2
        vor.vv v8, v8, v4
        vdiv.vv v8, v8, v0
        vand.vv v8, v8, v2
        vor.vv v8, v8, v4
        winic_loop_count kernel_single
        winic_function_end
