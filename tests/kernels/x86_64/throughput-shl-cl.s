# throughput of SHL64rCL, EFLAGS=TEST64rr every 1; 18 instances or passes
        winic_setup kernel
        movabs rcx, 0x1c003c003d103c05
        movabs rax, 0x1c003c003d100305
        movabs rbp, 0x1c003c003d103c49
        movabs rbx, 0x1c003c003d103c59
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
        shl rax, cl
        test rbp, r13
        shl rdx, cl
        test rbp, r13
        shl rsi, cl
        test rbp, r13
        shl rdi, cl
        test rbp, r13
        shl r8, cl
        test rbp, r13
        shl r9, cl
        test rbp, r13
        shl r10, cl
        test rbp, r13
        shl r11, cl
        test rbp, r13
        shl rbx, cl
        test rbp, r13
        shl r14, cl
        test rbp, r13
        shl r12, cl
        test rbp, r13
        shl rax, cl
        test rbp, r13
        shl rdx, cl
        test rbp, r13
        shl rsi, cl
        test rbp, r13
        shl rdi, cl
        test rbp, r13
        shl r8, cl
        test rbp, r13
        shl r9, cl
        test rbp, r13
        shl r10, cl
        test rbp, r13
        winic_loop_count kernel_single
        winic_function_end
