# latency of MOV64mr:5>memory then MOV64rm:memory>0, Same, 0 fillers; 6 instances or passes
        winic_setup kernel
        lea rdi, [rip + winic_region]
        mov ecx, 520
        movabs rax, 0x3db53db53db53db5
        rep stosq
        movabs rax, 0x1c003c003d100305
        lea rbx, [rip + winic_region + 192]
        lea r14, [rip + winic_region + 0]
        winic_setup_end
        winic_function kernel_single, kernel
        mov qword ptr [r14 + 2048], rax
        mov rax, qword ptr [rbx + 1856]
        mov qword ptr [r14 + 2112], rax
        mov rax, qword ptr [rbx + 1920]
        mov qword ptr [r14 + 2176], rax
        mov rax, qword ptr [rbx + 1984]
        mov qword ptr [r14 + 2240], rax
        mov rax, qword ptr [rbx + 2048]
        mov qword ptr [r14 + 2304], rax
        mov rax, qword ptr [rbx + 2112]
        mov qword ptr [r14 + 2368], rax
        mov rax, qword ptr [rbx + 2176]
        winic_loop_count kernel_single
        winic_function_end
