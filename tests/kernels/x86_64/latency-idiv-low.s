# latency of IDIV32r:EAX>EDX then MOV64rr:1>0, Rotating, 0 fillers; 6 instances or passes
        winic_setup kernel
        movabs rax, 0x4b004b
        movabs rdx, 0x5
        movabs rbp, 0x5
        movabs r13, 0x1112
        winic_setup_end
        winic_function kernel_single, kernel
        mov rdx, rbp
        idiv r13d
        mov rax, rdx
        mov rdx, rbp
        idiv r13d
        mov rax, rdx
        mov rdx, rbp
        idiv r13d
        mov rax, rdx
        mov rdx, rbp
        idiv r13d
        mov rax, rdx
        mov rdx, rbp
        idiv r13d
        mov rax, rdx
        mov rdx, rbp
        idiv r13d
        mov rax, rdx
        winic_loop_count kernel_single
        winic_function_end
