# throughput of DIV8r, AX=MOV64rr every 1; 18 instances or passes
        winic_setup kernel
        movabs rax, 0x32d
        movabs rbp, 0x32d
        movabs r13, 0x12
        winic_setup_end
        winic_function kernel_single, kernel
        div r13b
        mov rax, rbp
        div r13b
        mov rax, rbp
        div r13b
        mov rax, rbp
        div r13b
        mov rax, rbp
        div r13b
        mov rax, rbp
        div r13b
        mov rax, rbp
        div r13b
        mov rax, rbp
        div r13b
        mov rax, rbp
        div r13b
        mov rax, rbp
        div r13b
        mov rax, rbp
        div r13b
        mov rax, rbp
        div r13b
        mov rax, rbp
        div r13b
        mov rax, rbp
        div r13b
        mov rax, rbp
        div r13b
        mov rax, rbp
        div r13b
        mov rax, rbp
        div r13b
        mov rax, rbp
        div r13b
        mov rax, rbp
        winic_loop_count kernel_single
        winic_function_end
