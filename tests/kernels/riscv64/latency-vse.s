# latency of VSE32_V:0>memory then VLE32_V:memory>0, Same, 0 fillers; 6 instances or passes
        winic_setup kernel
        lla t0, winic_region
        li t1, 0x3db53db53db53db5
        li t2, 520
        1: sd t1, 0(t0)
        addi t0, t0, 8
        addi t2, t2, -1
        bnez t2, 1b
        csrwi frm, 0
        csrwi vxrm, 0
        vsetvli t6, zero, e64, m1, ta, mu
        li t6, 0x3d173d173d173d17
        vmv.v.x v8, t6
        vsetvli t6, zero, e32, m1, ta, mu
        lla x1, winic_region + 2048
        lla x22, winic_region + 2176
        lla x23, winic_region + 2112
        lla x24, winic_region + 2048
        lla x25, winic_region + 2176
        lla x26, winic_region + 2112
        winic_setup_end
        winic_function kernel_single, kernel
        vse32.v v8, (ra)
        vle32.v v8, (s8)
        vse32.v v8, (s10)
        vle32.v v8, (s7)
        vse32.v v8, (s9)
        vle32.v v8, (s6)
        vse32.v v8, (ra)
        vle32.v v8, (s8)
        vse32.v v8, (s10)
        vle32.v v8, (s7)
        vse32.v v8, (s9)
        vle32.v v8, (s6)
        winic_loop_count kernel_single
        winic_function_end
