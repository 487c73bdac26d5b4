# a mixture of 2 C_ADD, 1 MUL, 1 SD; 12 instances or passes
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
        li x8, 0x1c003c003d103c51
        li x9, 0x1c003c003d103c53
        li x10, 0x1c003c003d103c55
        li x11, 0x1c003c003d103c57
        li x12, 0x1c003c003d103c59
        li x13, 0x1c003c003d103c5b
        li x14, 0x1c003c003d103c5d
        li x15, 0x1c003c003d103c5f
        li x16, 0x1c003c003d103c61
        li x17, 0x1c003c003d103c63
        li x18, 0x1c003c003d103c65
        li x19, 0x1c003c003d103c67
        li x20, 0x1c003c003d103c69
        li x21, 0x1c003c003d103c6b
        li x22, 0x1c003c003d103c6d
        li x23, 0x1c003c003d103c6f
        li x24, 0x1c003c003d103c71
        lla x25, winic_region + 1024
        li x26, 0x1c003c003d103c75
        li x28, 0x1c003c003d103c79
        li x29, 0x1c003c003d103c7b
        li x30, 0x1c003c003d103c7d
        li x31, 0x1c003c003d103c7f
        winic_setup_end
        winic_function kernel_single, kernel
        .byte 0x06, 0x95  /* add a0, a0, ra */
        .byte 0x86, 0x95  /* add a1, a1, ra */
        mul s8, ra, s10
        sd ra, 0(s9)
        .byte 0x06, 0x96  /* add a2, a2, ra */
        .byte 0x86, 0x96  /* add a3, a3, ra */
        mul s8, ra, s10
        sd ra, 64(s9)
        .byte 0x06, 0x97  /* add a4, a4, ra */
        .byte 0x86, 0x97  /* add a5, a5, ra */
        mul s8, ra, s10
        sd ra, 128(s9)
        .byte 0x06, 0x98  /* add a6, a6, ra */
        .byte 0x86, 0x98  /* add a7, a7, ra */
        mul s8, ra, s10
        sd ra, 192(s9)
        .byte 0x86, 0x92  /* add t0, t0, ra */
        .byte 0x06, 0x93  /* add t1, t1, ra */
        mul s8, ra, s10
        sd ra, 256(s9)
        .byte 0x86, 0x93  /* add t2, t2, ra */
        .byte 0x06, 0x9e  /* add t3, t3, ra */
        mul s8, ra, s10
        sd ra, 320(s9)
        winic_loop_count kernel_single
        winic_function_end
