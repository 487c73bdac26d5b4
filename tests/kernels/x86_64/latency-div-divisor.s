# latency of DIV64r:0>RAX then AND64rr:1>0=0 then OR64rr:1>0=DIV64r:0 then MOV64rr:1>0, Rotating, 0 fillers; 3 instances or passes
        winic_setup kernel
        movabs rax, 0x4fb000004fb
        movabs rbp, 0x0
        movabs rcx, 0x1010102
        movabs rdi, 0x1010102
        movabs rdx, 0x5
        movabs rsi, 0x1010102
        movabs r12, 0x4fb000004fb
        movabs r13, 0x1010102
        movabs r14, 0x5
        winic_setup_end
        winic_function kernel_single, kernel
        mov rax, r12
        mov rdx, r14
        div rdi
        and rax, rbp
        or rax, r13
        mov rcx, rax
        mov rax, r12
        mov rdx, r14
        div rcx
        and rax, rbp
        or rax, r13
        mov rsi, rax
        mov rax, r12
        mov rdx, r14
        div rsi
        and rax, rbp
        or rax, r13
        mov rdi, rax
        winic_loop_count kernel_single
        winic_function_end
