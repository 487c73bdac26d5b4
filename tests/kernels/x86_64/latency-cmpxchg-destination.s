# latency of CMPXCHG64rr:0>0, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        movabs rax, 0x1c003c003d100305
        movabs rbp, 0x1c003c003d103c49
        movabs rcx, 0x1c003c003d103c05
        movabs r13, 0x1c003c003d100305
        winic_setup_end
        winic_function kernel_single, kernel
        mov rax, r13
        cmpxchg rcx, rbp
        mov rax, r13
        cmpxchg rcx, rbp
        mov rax, r13
        cmpxchg rcx, rbp
        mov rax, r13
        cmpxchg rcx, rbp
        mov rax, r13
        cmpxchg rcx, rbp
        mov rax, r13
        cmpxchg rcx, rbp
        mov rax, r13
        cmpxchg rcx, rbp
        mov rax, r13
        cmpxchg rcx, rbp
        mov rax, r13
        cmpxchg rcx, rbp
        mov rax, r13
        cmpxchg rcx, rbp
        mov rax, r13
        cmpxchg rcx, rbp
        mov rax, r13
        cmpxchg rcx, rbp
        winic_loop_count kernel_single
        winic_function_end
