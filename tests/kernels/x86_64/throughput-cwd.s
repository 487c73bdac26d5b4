# throughput of CWD, RDX=MOV64rr every 1; 18 instances or passes
        winic_setup kernel
        movabs rax, 0x1c003c003d100305
        movabs rbp, 0x5
        movabs rdx, 0x5
        winic_setup_end
        winic_function kernel_single, kernel
        cwd
        mov rdx, rbp
        cwd
        mov rdx, rbp
        cwd
        mov rdx, rbp
        cwd
        mov rdx, rbp
        cwd
        mov rdx, rbp
        cwd
        mov rdx, rbp
        cwd
        mov rdx, rbp
        cwd
        mov rdx, rbp
        cwd
        mov rdx, rbp
        cwd
        mov rdx, rbp
        cwd
        mov rdx, rbp
        cwd
        mov rdx, rbp
        cwd
        mov rdx, rbp
        cwd
        mov rdx, rbp
        cwd
        mov rdx, rbp
        cwd
        mov rdx, rbp
        cwd
        mov rdx, rbp
        cwd
        mov rdx, rbp
        winic_loop_count kernel_single
        winic_function_end
