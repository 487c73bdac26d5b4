# latency of DIV64r:RAX>RAX then AND64rr:1>0=0 then OR64rr:1>0=DIV64r:RAX, Same, 0 fillers; 6 instances or passes
        winic_setup kernel
        movabs rax, 0x4fb000004fb
        movabs rbp, 0x1010102
        movabs rdx, 0x5
        movabs r12, 0x4fb000004fb
        movabs r13, 0x0
        movabs r14, 0x5
        winic_setup_end
        winic_function kernel_single, kernel
        mov rdx, r14
        div rbp
        and rax, r13
        or rax, r12
        mov rdx, r14
        div rbp
        and rax, r13
        or rax, r12
        mov rdx, r14
        div rbp
        and rax, r13
        or rax, r12
        mov rdx, r14
        div rbp
        and rax, r13
        or rax, r12
        mov rdx, r14
        div rbp
        and rax, r13
        or rax, r12
        mov rdx, r14
        div rbp
        and rax, r13
        or rax, r12
        winic_loop_count kernel_single
        winic_function_end
