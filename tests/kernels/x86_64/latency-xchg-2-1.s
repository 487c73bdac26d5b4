# latency of XCHG64rr:2>1, Rotating, 0 fillers; 12 instances or passes
        winic_setup kernel
        movabs rax, 0x1c003c003d100305
        movabs rcx, 0x1c003c003d103c05
        movabs rdi, 0x1c003c003d103c7f
        movabs rdx, 0x5
        movabs rsi, 0x1c003c003d103c5d
        movabs r8, 0x1c003c003d103c55
        movabs r9, 0x1c003c003d103c57
        winic_setup_end
        winic_function kernel_single, kernel
        .byte 0x48, 0x87, 0xf8  /* xchg rdi, rax */
        .byte 0x48, 0x87, 0xc1  /* xchg rax, rcx */
        xchg rcx, rdx
        xchg rdx, rsi
        xchg rsi, rdi
        xchg rdi, r8
        xchg r8, r9
        .byte 0x4c, 0x87, 0xc8  /* xchg r9, rax */
        .byte 0x48, 0x87, 0xc1  /* xchg rax, rcx */
        xchg rcx, rdx
        xchg rdx, rsi
        xchg rsi, rdi
        winic_loop_count kernel_single
        winic_function_end
