# throughput of ADD64mr; 18 instances or passes
        winic_setup kernel
        lea rdi, [rip + winic_region]
        mov ecx, 520
        movabs rax, 0x3db53db53db53db5
        rep stosq
        movabs rbp, 0x1c003c003d103c49
        lea r14, [rip + winic_region + 0]
        winic_setup_end
        winic_function kernel_single, kernel
        add qword ptr [r14], rbp
        add qword ptr [r14 + 64], rbp
        add qword ptr [r14 + 128], rbp
        add qword ptr [r14 + 192], rbp
        add qword ptr [r14 + 256], rbp
        add qword ptr [r14 + 320], rbp
        add qword ptr [r14 + 384], rbp
        add qword ptr [r14 + 448], rbp
        add qword ptr [r14 + 512], rbp
        add qword ptr [r14 + 576], rbp
        add qword ptr [r14 + 640], rbp
        add qword ptr [r14 + 704], rbp
        add qword ptr [r14 + 768], rbp
        add qword ptr [r14 + 832], rbp
        add qword ptr [r14 + 896], rbp
        add qword ptr [r14], rbp
        add qword ptr [r14 + 64], rbp
        add qword ptr [r14 + 128], rbp
        winic_loop_count kernel_single
        winic_function_end
