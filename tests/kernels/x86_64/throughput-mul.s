# throughput of MUL64r, RAX=MOV64rr every 1; 18 instances or passes
        winic_setup kernel
        movabs rax, 0x1c003c003d100305
        movabs rbp, 0x1c003c003d100305
        movabs r13, 0x1c003c003d103c6d
        winic_setup_end
        winic_function kernel_single, kernel
        mul r13
        mov rax, rbp
        mul r13
        mov rax, rbp
        mul r13
        mov rax, rbp
        mul r13
        mov rax, rbp
        mul r13
        mov rax, rbp
        mul r13
        mov rax, rbp
        mul r13
        mov rax, rbp
        mul r13
        mov rax, rbp
        mul r13
        mov rax, rbp
        mul r13
        mov rax, rbp
        mul r13
        mov rax, rbp
        mul r13
        mov rax, rbp
        mul r13
        mov rax, rbp
        mul r13
        mov rax, rbp
        mul r13
        mov rax, rbp
        mul r13
        mov rax, rbp
        mul r13
        mov rax, rbp
        mul r13
        mov rax, rbp
        winic_loop_count kernel_single
        winic_function_end
