# throughput of ADD64rr; 18 instances or passes
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
        add rax, rbp
        add rcx, rbp
        add rdx, rbp
        add rsi, rbp
        add rdi, rbp
        add r8, rbp
        add r9, rbp
        add r10, rbp
        add r11, rbp
        add rbx, rbp
        add r14, rbp
        add r12, rbp
        add r13, rbp
        add rax, rbp
        add rcx, rbp
        add rdx, rbp
        add rsi, rbp
        add rdi, rbp
        winic_loop_count kernel_single
        winic_function_end
        winic_function kernel_double, kernel
        add rax, rbp
        add rcx, rbp
        add rdx, rbp
        add rsi, rbp
        add rdi, rbp
        add r8, rbp
        add r9, rbp
        add r10, rbp
        add r11, rbp
        add rbx, rbp
        add r14, rbp
        add r12, rbp
        add r13, rbp
        add rax, rbp
        add rcx, rbp
        add rdx, rbp
        add rsi, rbp
        add rdi, rbp
        add rax, rbp
        add rcx, rbp
        add rdx, rbp
        add rsi, rbp
        add rdi, rbp
        add r8, rbp
        add r9, rbp
        add r10, rbp
        add r11, rbp
        add rbx, rbp
        add r14, rbp
        add r12, rbp
        add r13, rbp
        add rax, rbp
        add rcx, rbp
        add rdx, rbp
        add rsi, rbp
        add rdi, rbp
        winic_loop_count kernel_double
        winic_function_end
