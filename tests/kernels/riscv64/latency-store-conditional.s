# latency of SC_D:1>memory then LD:memory>0, Same, 0 fillers; 6 instances or passes
        winic_setup kernel
        lla t0, winic_region
        li t1, 0x3db53db53db53db5
        li t2, 520
        1: sd t1, 0(t0)
        addi t0, t0, 8
        addi t2, t2, -1
        bnez t2, 1b
        li x1, 0x1c003c003d103c43
        li x10, 0x1c003c003d103c55
        lla x19, winic_region + 2096
        lla x20, winic_region + 2048
        lla x21, winic_region + 2000
        lla x22, winic_region + 2176
        lla x23, winic_region + 2112
        lla x24, winic_region + 2048
        li x25, 0x1c003c003d103c73
        li x26, 0x1c003c003d103c75
        winic_setup_end
        winic_function kernel_single, kernel
        lr.d s2, (s8)
        sc.d ra, a0, (s8)
        ld a0, 48(s5)
        lr.d s2, (s7)
        sc.d s10, a0, (s7)
        ld a0, 64(s4)
        lr.d s2, (s6)
        sc.d s9, a0, (s6)
        ld a0, 80(s3)
        lr.d s2, (s8)
        sc.d ra, a0, (s8)
        ld a0, 48(s5)
        lr.d s2, (s7)
        sc.d s10, a0, (s7)
        ld a0, 64(s4)
        lr.d s2, (s6)
        sc.d s9, a0, (s6)
        ld a0, 80(s3)
        winic_loop_count kernel_single
        winic_function_end
