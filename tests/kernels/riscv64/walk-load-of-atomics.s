# a walk of 1 pointers through 4096 bytes; 64 instances or passes
        winic_setup kernel
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
        li x28, 0x1c003c003d103c79
        li x29, 0x1c003c003d103c7b
        li x30, 0x1c003c003d103c7d
        li x31, 0x1c003c003d103c7f
        lla x1, winic_buffer_cell
        ld x25, 0(x1)
        ld x26, 8(x1)
        li x1, 0x0
        add x1, x1, x25
        add x1, x1, x26
        li x26, 0x1000
        add x26, x26, x25
        li x25, 0x1000
        winic_setup_end
        winic_function kernel_single, kernel
        lr.d a0, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d a1, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d a2, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d a3, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d a4, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d a5, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d a6, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d a7, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d t0, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d t1, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d t2, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d t3, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d t4, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d t5, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d t6, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d s0, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d s1, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d s2, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d s3, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d s4, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d s5, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d s6, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d s7, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d s8, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d a0, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d a1, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d a2, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d a3, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d a4, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d a5, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d a6, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d a7, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d t0, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d t1, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d t2, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d t3, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d t4, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d t5, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d t6, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d s0, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d s1, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d s2, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d s3, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d s4, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d s5, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d s6, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d s7, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d s8, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d a0, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d a1, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d a2, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d a3, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d a4, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d a5, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d a6, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d a7, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d t0, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d t1, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d t2, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d t3, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d t4, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d t5, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d t6, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        lr.d s0, (ra)
        addi x1, x1, 8
        bltu x1, x26, 8f
        sub x1, x1, x25
        8:
        winic_loop_count kernel_single
        lla x25, winic_buffer_cell
        ld x26, 0(x25)
        sub x1, x1, x26
        li x26, 0x0
        sub x1, x1, x26
        sd x1, 8(x25)
        winic_function_end
