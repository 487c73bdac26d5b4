# throughput of ENTER, RSP=MOV64rr, RBP=MOV64rr every 2; 18 instances or passes
        winic_setup kernel
        lea rdi, [rip + winic_region]
        mov ecx, 520
        movabs rax, 0x3db53db53db53db5
        rep stosq
        movabs rbp, 0x1c003c003d103c49
        movabs r12, 0x1c003c003d103c49
        lea r13, [rip + winic_region + 2048]
        winic_setup_end
        winic_function kernel_single, kernel
        enter 16, 0
        enter 16, 0
        mov rsp, r13
        mov rbp, r12
        enter 16, 0
        enter 16, 0
        mov rsp, r13
        mov rbp, r12
        enter 16, 0
        enter 16, 0
        mov rsp, r13
        mov rbp, r12
        enter 16, 0
        enter 16, 0
        mov rsp, r13
        mov rbp, r12
        enter 16, 0
        enter 16, 0
        mov rsp, r13
        mov rbp, r12
        enter 16, 0
        enter 16, 0
        mov rsp, r13
        mov rbp, r12
        enter 16, 0
        enter 16, 0
        mov rsp, r13
        mov rbp, r12
        enter 16, 0
        enter 16, 0
        mov rsp, r13
        mov rbp, r12
        enter 16, 0
        enter 16, 0
        mov rsp, r13
        mov rbp, r12
        winic_loop_count kernel_single
        winic_function_end
