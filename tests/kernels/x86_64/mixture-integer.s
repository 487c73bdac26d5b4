# a mixture of 1 IMUL64rr, 2 ADD64rr, 1 LEA64r; 6 instances or passes
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
        .ascii "\076\076"; add r9, rbp
        .ascii "\076"; imul rax, rbp
        .ascii "\076\076"; add r10, rbp
        .ascii "\076"; lea r13, [r12 + rbp]
        .ascii "\076\076"; add r11, rbp
        .ascii "\076"; imul rcx, rbp
        .ascii "\076\076"; add rbx, rbp
        .ascii "\076"; lea r13, [r12 + rbp]
        .ascii "\076\076"; add r14, rbp
        .ascii "\076"; imul rdx, rbp
        .ascii "\076\076"; add r9, rbp
        .ascii "\076"; lea r13, [r12 + rbp]
        .ascii "\076\076"; add r10, rbp
        .ascii "\076"; imul rsi, rbp
        .ascii "\076\076"; add r11, rbp
        .ascii "\076"; lea r13, [r12 + rbp]
        .ascii "\076\076"; add rbx, rbp
        .ascii "\076"; imul rdi, rbp
        .ascii "\076\076"; add r14, rbp
        .ascii "\076"; lea r13, [r12 + rbp]
        .ascii "\076\076"; add r9, rbp
        .ascii "\076"; imul r8, rbp
        .ascii "\076\076"; add r10, rbp
        .ascii "\076"; lea r13, [r12 + rbp]
        winic_loop_count kernel_single
        winic_function_end
