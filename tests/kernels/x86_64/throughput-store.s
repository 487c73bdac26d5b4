# throughput of MOV64mr; 18 instances or passes
        winic_setup kernel
        lea rdi, [rip + winic_region]
        mov ecx, 520
        movabs rax, 0x3db53db53db53db5
        rep stosq
        movabs rbp, 0x1c003c003d103c49
        lea r14, [rip + winic_region + 0]
        winic_setup_end
        winic_function kernel_single, kernel
        mov qword ptr [r14], rbp
        mov qword ptr [r14 + 64], rbp
        mov qword ptr [r14 + 128], rbp
        mov qword ptr [r14 + 192], rbp
        mov qword ptr [r14 + 256], rbp
        mov qword ptr [r14 + 320], rbp
        mov qword ptr [r14 + 384], rbp
        mov qword ptr [r14 + 448], rbp
        mov qword ptr [r14 + 512], rbp
        mov qword ptr [r14 + 576], rbp
        mov qword ptr [r14 + 640], rbp
        mov qword ptr [r14 + 704], rbp
        mov qword ptr [r14 + 768], rbp
        mov qword ptr [r14 + 832], rbp
        mov qword ptr [r14 + 896], rbp
        mov qword ptr [r14], rbp
        mov qword ptr [r14 + 64], rbp
        mov qword ptr [r14 + 128], rbp
        winic_loop_count kernel_single
        winic_function_end
