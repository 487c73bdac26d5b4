# latency of MOV64rm@scaled-index-displacement:3>0 then AND64rr:1>0=0 then OR64rr:1>0=MOV64rm@scaled-index-displacement:3, Same, 0 fillers; 6 instances or passes
        winic_setup kernel
        lea rdi, [rip + winic_region]
        mov ecx, 520
        movabs rax, 0x3db53db53db53db5
        rep stosq
        movabs rax, 0x0
        movabs rbp, 0x0
        movabs r13, 0x0
        lea r14, [rip + winic_region + 8]
        winic_setup_end
        winic_function kernel_single, kernel
        mov rax, qword ptr [r14 + 8*rax - 8]
        and rax, rbp
        or rax, r13
        mov rax, qword ptr [r14 + 8*rax - 8]
        and rax, rbp
        or rax, r13
        mov rax, qword ptr [r14 + 8*rax - 8]
        and rax, rbp
        or rax, r13
        mov rax, qword ptr [r14 + 8*rax - 8]
        and rax, rbp
        or rax, r13
        mov rax, qword ptr [r14 + 8*rax - 8]
        and rax, rbp
        or rax, r13
        mov rax, qword ptr [r14 + 8*rax - 8]
        and rax, rbp
        or rax, r13
        winic_loop_count kernel_single
        winic_function_end
