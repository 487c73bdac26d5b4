# throughput of DIV64r, RAX=MOV64rr, RDX=MOV64rr every 1; 18 instances or passes
        winic_setup kernel
        movabs rax, 0x4fb000004fb
        movabs rbp, 0x4fb000004fb
        movabs rdx, 0x5
        movabs r12, 0x1010102
        movabs r13, 0x5
        winic_setup_end
        winic_function kernel_single, kernel
        div r12
        mov rax, rbp
        mov rdx, r13
        div r12
        mov rax, rbp
        mov rdx, r13
        div r12
        mov rax, rbp
        mov rdx, r13
        div r12
        mov rax, rbp
        mov rdx, r13
        div r12
        mov rax, rbp
        mov rdx, r13
        div r12
        mov rax, rbp
        mov rdx, r13
        div r12
        mov rax, rbp
        mov rdx, r13
        div r12
        mov rax, rbp
        mov rdx, r13
        div r12
        mov rax, rbp
        mov rdx, r13
        div r12
        mov rax, rbp
        mov rdx, r13
        div r12
        mov rax, rbp
        mov rdx, r13
        div r12
        mov rax, rbp
        mov rdx, r13
        div r12
        mov rax, rbp
        mov rdx, r13
        div r12
        mov rax, rbp
        mov rdx, r13
        div r12
        mov rax, rbp
        mov rdx, r13
        div r12
        mov rax, rbp
        mov rdx, r13
        div r12
        mov rax, rbp
        mov rdx, r13
        div r12
        mov rax, rbp
        mov rdx, r13
        winic_loop_count kernel_single
        winic_function_end
