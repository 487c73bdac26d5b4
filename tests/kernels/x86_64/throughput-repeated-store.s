# throughput of REP_STOSB_64, RCX=MOV64rr, RDI=MOV64rr every 1; 18 instances or passes
        winic_setup kernel
        lea rdi, [rip + winic_region]
        mov ecx, 520
        movabs rax, 0x3db53db53db53db5
        rep stosq
        movabs rax, 0x1c003c003d100305
        movabs rbp, 0x40
        movabs rcx, 0x40
        lea rdi, [rip + winic_region + 0]
        lea r13, [rip + winic_region + 0]
        winic_setup_end
        winic_function kernel_single, kernel
        rep stosb es:[rdi], al
        mov rcx, rbp
        mov rdi, r13
        rep stosb es:[rdi], al
        mov rcx, rbp
        mov rdi, r13
        rep stosb es:[rdi], al
        mov rcx, rbp
        mov rdi, r13
        rep stosb es:[rdi], al
        mov rcx, rbp
        mov rdi, r13
        rep stosb es:[rdi], al
        mov rcx, rbp
        mov rdi, r13
        rep stosb es:[rdi], al
        mov rcx, rbp
        mov rdi, r13
        rep stosb es:[rdi], al
        mov rcx, rbp
        mov rdi, r13
        rep stosb es:[rdi], al
        mov rcx, rbp
        mov rdi, r13
        rep stosb es:[rdi], al
        mov rcx, rbp
        mov rdi, r13
        rep stosb es:[rdi], al
        mov rcx, rbp
        mov rdi, r13
        rep stosb es:[rdi], al
        mov rcx, rbp
        mov rdi, r13
        rep stosb es:[rdi], al
        mov rcx, rbp
        mov rdi, r13
        rep stosb es:[rdi], al
        mov rcx, rbp
        mov rdi, r13
        rep stosb es:[rdi], al
        mov rcx, rbp
        mov rdi, r13
        rep stosb es:[rdi], al
        mov rcx, rbp
        mov rdi, r13
        rep stosb es:[rdi], al
        mov rcx, rbp
        mov rdi, r13
        rep stosb es:[rdi], al
        mov rcx, rbp
        mov rdi, r13
        rep stosb es:[rdi], al
        mov rcx, rbp
        mov rdi, r13
        winic_loop_count kernel_single
        winic_function_end
