# throughput of MOVSQ, RSI=MOV64rr, RDI=MOV64rr every 6; 18 instances or passes
        winic_setup kernel
        lea rdi, [rip + winic_region]
        mov ecx, 520
        movabs rax, 0x3db53db53db53db5
        rep stosq
        lea rbp, [rip + winic_region + 0]
        lea rdi, [rip + winic_region + 2048]
        lea rsi, [rip + winic_region + 0]
        lea r13, [rip + winic_region + 2048]
        winic_setup_end
        winic_function kernel_single, kernel
        movsq qword ptr es:[rdi], qword ptr [rsi]
        movsq qword ptr es:[rdi], qword ptr [rsi]
        movsq qword ptr es:[rdi], qword ptr [rsi]
        movsq qword ptr es:[rdi], qword ptr [rsi]
        movsq qword ptr es:[rdi], qword ptr [rsi]
        movsq qword ptr es:[rdi], qword ptr [rsi]
        mov rsi, rbp
        mov rdi, r13
        movsq qword ptr es:[rdi], qword ptr [rsi]
        movsq qword ptr es:[rdi], qword ptr [rsi]
        movsq qword ptr es:[rdi], qword ptr [rsi]
        movsq qword ptr es:[rdi], qword ptr [rsi]
        movsq qword ptr es:[rdi], qword ptr [rsi]
        movsq qword ptr es:[rdi], qword ptr [rsi]
        mov rsi, rbp
        mov rdi, r13
        movsq qword ptr es:[rdi], qword ptr [rsi]
        movsq qword ptr es:[rdi], qword ptr [rsi]
        movsq qword ptr es:[rdi], qword ptr [rsi]
        movsq qword ptr es:[rdi], qword ptr [rsi]
        movsq qword ptr es:[rdi], qword ptr [rsi]
        movsq qword ptr es:[rdi], qword ptr [rsi]
        mov rsi, rbp
        mov rdi, r13
        winic_loop_count kernel_single
        winic_function_end
