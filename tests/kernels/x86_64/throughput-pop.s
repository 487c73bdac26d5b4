# throughput of POP64r, RSP=MOV64rr every 6; 18 instances or passes
        winic_setup kernel
        lea rdi, [rip + winic_region]
        mov ecx, 520
        movabs rax, 0x3db53db53db53db5
        rep stosq
        movabs rax, 0x1c003c003d100305
        lea rbp, [rip + winic_region + 2048]
        movabs rbx, 0x1c003c003d103c59
        movabs rcx, 0x1c003c003d103c05
        movabs rdi, 0x1c003c003d103c7f
        movabs rdx, 0x5
        movabs rsi, 0x1c003c003d103c5d
        movabs r8, 0x1c003c003d103c55
        movabs r9, 0x1c003c003d103c57
        movabs r10, 0x1c003c003d103c67
        movabs r11, 0x1c003c003d103c69
        movabs r12, 0x1c003c003d103c6b
        movabs r13, 0x1c003c003d103c6d
        movabs r14, 0x1c003c003d103c6f
        winic_setup_end
        winic_function kernel_single, kernel
        pop rax
        pop rcx
        pop rdx
        pop rsi
        pop rdi
        pop r8
        mov rsp, rbp
        pop r9
        pop r10
        pop r11
        pop rbx
        pop r14
        pop r12
        mov rsp, rbp
        pop r13
        pop rax
        pop rcx
        pop rdx
        pop rsi
        pop rdi
        mov rsp, rbp
        winic_loop_count kernel_single
        winic_function_end
