# throughput of CPUID, EAX=MOV64rr, ECX=MOV64rr every 1; 18 instances or passes
        winic_setup kernel
        movabs rax, 0x0
        movabs rcx, 0x0
        movabs rbp, 0x0
        movabs r13, 0x0
        winic_setup_end
        winic_function kernel_single, kernel
        cpuid
        mov rax, rbp
        mov rcx, r13
        cpuid
        mov rax, rbp
        mov rcx, r13
        cpuid
        mov rax, rbp
        mov rcx, r13
        cpuid
        mov rax, rbp
        mov rcx, r13
        cpuid
        mov rax, rbp
        mov rcx, r13
        cpuid
        mov rax, rbp
        mov rcx, r13
        cpuid
        mov rax, rbp
        mov rcx, r13
        cpuid
        mov rax, rbp
        mov rcx, r13
        cpuid
        mov rax, rbp
        mov rcx, r13
        cpuid
        mov rax, rbp
        mov rcx, r13
        cpuid
        mov rax, rbp
        mov rcx, r13
        cpuid
        mov rax, rbp
        mov rcx, r13
        cpuid
        mov rax, rbp
        mov rcx, r13
        cpuid
        mov rax, rbp
        mov rcx, r13
        cpuid
        mov rax, rbp
        mov rcx, r13
        cpuid
        mov rax, rbp
        mov rcx, r13
        cpuid
        mov rax, rbp
        mov rcx, r13
        cpuid
        mov rax, rbp
        mov rcx, r13
        winic_loop_count kernel_single
        winic_function_end
