# throughput of REP_STOSB_32, RDI=MOV64rr, RCX=MOV64rr every 1; 18 instances or passes
        winic_setup kernel
        mov edi, 0x60000000
        mov ecx, 520
        movabs rax, 0x3db53db53db53db5
        rep stosq
        movabs rax, 0x1c003c003d100305
        movabs rbp, 0x60000000
        movabs rcx, 0x40
        movabs rdi, 0x60000000
        movabs r13, 0x40
        winic_setup_end
        winic_function kernel_single, kernel
        rep stosb es:[edi], al
        mov rdi, rbp
        mov rcx, r13
        rep stosb es:[edi], al
        mov rdi, rbp
        mov rcx, r13
        rep stosb es:[edi], al
        mov rdi, rbp
        mov rcx, r13
        rep stosb es:[edi], al
        mov rdi, rbp
        mov rcx, r13
        rep stosb es:[edi], al
        mov rdi, rbp
        mov rcx, r13
        rep stosb es:[edi], al
        mov rdi, rbp
        mov rcx, r13
        rep stosb es:[edi], al
        mov rdi, rbp
        mov rcx, r13
        rep stosb es:[edi], al
        mov rdi, rbp
        mov rcx, r13
        rep stosb es:[edi], al
        mov rdi, rbp
        mov rcx, r13
        rep stosb es:[edi], al
        mov rdi, rbp
        mov rcx, r13
        rep stosb es:[edi], al
        mov rdi, rbp
        mov rcx, r13
        rep stosb es:[edi], al
        mov rdi, rbp
        mov rcx, r13
        rep stosb es:[edi], al
        mov rdi, rbp
        mov rcx, r13
        rep stosb es:[edi], al
        mov rdi, rbp
        mov rcx, r13
        rep stosb es:[edi], al
        mov rdi, rbp
        mov rcx, r13
        rep stosb es:[edi], al
        mov rdi, rbp
        mov rcx, r13
        rep stosb es:[edi], al
        mov rdi, rbp
        mov rcx, r13
        rep stosb es:[edi], al
        mov rdi, rbp
        mov rcx, r13
        winic_loop_count kernel_single
        winic_function_end
