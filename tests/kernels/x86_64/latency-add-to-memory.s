# latency of ADD64mr:memory>memory, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        lea rdi, [rip + winic_region]
        mov ecx, 520
        movabs rax, 0x3db53db53db53db5
        rep stosq
        movabs rbp, 0x1c003c003d103c49
        lea rbx, [rip + winic_region + 64]
        lea r11, [rip + winic_region + 128]
        lea r14, [rip + winic_region + 0]
        winic_setup_end
        winic_function kernel_single, kernel
        add qword ptr [r14 + 2048], rbp
        add qword ptr [rbx + 1984], rbp
        add qword ptr [r11 + 1920], rbp
        add qword ptr [r14 + 2048], rbp
        add qword ptr [rbx + 1984], rbp
        add qword ptr [r11 + 1920], rbp
        add qword ptr [r14 + 2048], rbp
        add qword ptr [rbx + 1984], rbp
        add qword ptr [r11 + 1920], rbp
        add qword ptr [r14 + 2048], rbp
        add qword ptr [rbx + 1984], rbp
        add qword ptr [r11 + 1920], rbp
        winic_loop_count kernel_single
        winic_function_end
