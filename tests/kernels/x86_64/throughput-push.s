# throughput of PUSH64r, RSP=MOV64rr every 6; 18 instances or passes
        winic_setup kernel
        lea rdi, [rip + winic_region]
        mov ecx, 520
        movabs rax, 0x3db53db53db53db5
        rep stosq
        lea rbp, [rip + winic_region + 2048]
        movabs r13, 0x1c003c003d103c6d
        winic_setup_end
        winic_function kernel_single, kernel
        push r13
        push r13
        push r13
        push r13
        push r13
        push r13
        mov rsp, rbp
        push r13
        push r13
        push r13
        push r13
        push r13
        push r13
        mov rsp, rbp
        push r13
        push r13
        push r13
        push r13
        push r13
        push r13
        mov rsp, rbp
        winic_loop_count kernel_single
        winic_function_end
