# latency of CQO:RAX>RDX then MOV64rr:1>0, Rotating, 0 fillers; 6 instances or passes
        winic_setup kernel
        movabs rax, 0x1c003c003d100305
        movabs rdx, 0x5
        winic_setup_end
        winic_function kernel_single, kernel
        cqo
        mov rax, rdx
        cqo
        mov rax, rdx
        cqo
        mov rax, rdx
        cqo
        mov rax, rdx
        cqo
        mov rax, rdx
        cqo
        mov rax, rdx
        winic_loop_count kernel_single
        winic_function_end
