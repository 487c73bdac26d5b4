# throughput of SC_W_AQRL; 18 instances or passes
        winic_setup kernel
        lla t0, winic_region
        li t1, 0x3db53db53db53db5
        li t2, 520
        1: sd t1, 0(t0)
        addi t0, t0, 8
        addi t2, t2, -1
        bnez t2, 1b
        li x1, 0x1c003c003d103c43
        li x5, 0x1c003c003d103c4b
        li x6, 0x1c003c003d103c4d
        li x7, 0x1c003c003d103c4f
        lla x8, winic_region + 640
        lla x9, winic_region + 576
        li x10, 0x1c003c003d103c55
        li x11, 0x1c003c003d103c57
        li x12, 0x1c003c003d103c59
        li x13, 0x1c003c003d103c5b
        li x14, 0x1c003c003d103c5d
        li x15, 0x1c003c003d103c5f
        li x16, 0x1c003c003d103c61
        li x17, 0x1c003c003d103c63
        lla x18, winic_region + 512
        lla x19, winic_region + 448
        lla x20, winic_region + 384
        lla x21, winic_region + 320
        lla x22, winic_region + 256
        lla x23, winic_region + 192
        lla x24, winic_region + 128
        lla x25, winic_region + 64
        lla x26, winic_region + 0
        li x28, 0x1c003c003d103c79
        lla x30, winic_region + 768
        lla x31, winic_region + 704
        winic_setup_end
        winic_function kernel_single, kernel
        lr.w t4, (s10)
        sc.w.aqrl a0, ra, (s10)
        lr.w t4, (s9)
        sc.w.aqrl a1, ra, (s9)
        lr.w t4, (s8)
        sc.w.aqrl a2, ra, (s8)
        lr.w t4, (s7)
        sc.w.aqrl a3, ra, (s7)
        lr.w t4, (s6)
        sc.w.aqrl a4, ra, (s6)
        lr.w t4, (s5)
        sc.w.aqrl a5, ra, (s5)
        lr.w t4, (s4)
        sc.w.aqrl a6, ra, (s4)
        lr.w t4, (s3)
        sc.w.aqrl a7, ra, (s3)
        lr.w t4, (s2)
        sc.w.aqrl t0, ra, (s2)
        lr.w t4, (s1)
        sc.w.aqrl t1, ra, (s1)
        lr.w t4, (s0)
        sc.w.aqrl t2, ra, (s0)
        lr.w t4, (t6)
        sc.w.aqrl t3, ra, (t6)
        lr.w t4, (t5)
        sc.w.aqrl a0, ra, (t5)
        lr.w t4, (s10)
        sc.w.aqrl a1, ra, (s10)
        lr.w t4, (s9)
        sc.w.aqrl a2, ra, (s9)
        lr.w t4, (s8)
        sc.w.aqrl a3, ra, (s8)
        lr.w t4, (s7)
        sc.w.aqrl a4, ra, (s7)
        lr.w t4, (s6)
        sc.w.aqrl a5, ra, (s6)
        winic_loop_count kernel_single
        winic_function_end
