# throughput of XCHG64rr; 18 instances or passes
        winic_setup kernel
        movabs rax, 0x1c003c003d100305
        movabs rbp, 0x1c003c003d103c49
        movabs rbx, 0x1c003c003d103c59
        movabs rcx, 0x1c003c003d103c05
        movabs rdi, 0x1c003c003d103c7f
        movabs rdx, 0x5
        movabs rsi, 0x1c003c003d103c5d
        movabs r8, 0x1c003c003d103c55
        movabs r9, 0x1c003c003d103c57
        movabs r10, 0x1c003c003d103c67
        movabs r11, 0x1c003c003d103c69
        movabs r12, 0x1c003c003d103c6b
        movabs r13, 0x1c003c003d103c6d
        movabs r14, 0x1c003c003d103c6f
        winic_setup_end
        winic_function kernel_single, kernel
        .byte 0x48, 0x87, 0xc1  /* xchg rax, rcx */
        xchg rdx, rsi
        xchg rdi, r8
        xchg r9, r10
        xchg r11, rbx
        xchg r14, r12
        xchg r13, rbp
        .byte 0x48, 0x87, 0xc1  /* xchg rax, rcx */
        xchg rdx, rsi
        xchg rdi, r8
        xchg r9, r10
        xchg r11, rbx
        xchg r14, r12
        xchg r13, rbp
        .byte 0x48, 0x87, 0xc1  /* xchg rax, rcx */
        xchg rdx, rsi
        xchg rdi, r8
        xchg r9, r10
        winic_loop_count kernel_single
        winic_function_end
