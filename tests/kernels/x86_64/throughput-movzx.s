# throughput of MOVZX32rr8; 18 instances or passes
        winic_setup kernel
        movabs rax, 0x1c003c003d100305
        movabs rbp, 0x1c003c003d103c49
        movabs rbx, 0x1c003c003d103c59
        movabs rcx, 0x1c003c003d103c05
        movabs rdi, 0x1c003c003d103c7f
        movabs rdx, 0x5
        movabs rsi, 0x1c003c003d103c5d
        movabs r13, 0x1c003c003d103c6d
        movabs r8, 0x1c003c003d103c55
        movabs r9, 0x1c003c003d103c57
        movabs r10, 0x1c003c003d103c67
        movabs r11, 0x1c003c003d103c69
        movabs r12, 0x1c003c003d103c6b
        movabs r14, 0x1c003c003d103c6f
        winic_setup_end
        winic_function kernel_single, kernel
        movzx eax, r13b
        movzx ecx, r13b
        movzx edx, r13b
        movzx esi, r13b
        movzx edi, r13b
        movzx ebx, r13b
        movzx ebp, r13b
        movzx r8d, r13b
        movzx r9d, r13b
        movzx r10d, r13b
        movzx r11d, r13b
        movzx r14d, r13b
        movzx r12d, r13b
        movzx eax, r13b
        movzx ecx, r13b
        movzx edx, r13b
        movzx esi, r13b
        movzx edi, r13b
        winic_loop_count kernel_single
        winic_function_end
