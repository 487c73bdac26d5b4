# throughput of DIV64m, RAX=MOV64rr, RDX=MOV64rr every 1; 18 instances or passes
        winic_setup kernel
        lea rdi, [rip + winic_region]
        mov ecx, 520
        movabs rax, 0x1010102
        rep stosq
        movabs rax, 0x4fb000004fb
        movabs rbp, 0x4fb000004fb
        movabs rdx, 0x5
        movabs r13, 0x5
        lea r14, [rip + winic_region + 0]
        winic_setup_end
        winic_function kernel_single, kernel
        div qword ptr [r14]
        mov rax, rbp
        mov rdx, r13
        div qword ptr [r14]
        mov rax, rbp
        mov rdx, r13
        div qword ptr [r14]
        mov rax, rbp
        mov rdx, r13
        div qword ptr [r14]
        mov rax, rbp
        mov rdx, r13
        div qword ptr [r14]
        mov rax, rbp
        mov rdx, r13
        div qword ptr [r14]
        mov rax, rbp
        mov rdx, r13
        div qword ptr [r14]
        mov rax, rbp
        mov rdx, r13
        div qword ptr [r14]
        mov rax, rbp
        mov rdx, r13
        div qword ptr [r14]
        mov rax, rbp
        mov rdx, r13
        div qword ptr [r14]
        mov rax, rbp
        mov rdx, r13
        div qword ptr [r14]
        mov rax, rbp
        mov rdx, r13
        div qword ptr [r14]
        mov rax, rbp
        mov rdx, r13
        div qword ptr [r14]
        mov rax, rbp
        mov rdx, r13
        div qword ptr [r14]
        mov rax, rbp
        mov rdx, r13
        div qword ptr [r14]
        mov rax, rbp
        mov rdx, r13
        div qword ptr [r14]
        mov rax, rbp
        mov rdx, r13
        div qword ptr [r14]
        mov rax, rbp
        mov rdx, r13
        div qword ptr [r14]
        mov rax, rbp
        mov rdx, r13
        winic_loop_count kernel_single
        winic_function_end
