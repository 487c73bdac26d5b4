# latency of MOV64mr@instruction-pointer:5>memory then MOV64rm:memory>0, Same, 0 fillers; 6 instances or passes
        winic_setup kernel
        lea rdi, [rip + winic_region]
        mov ecx, 520
        movabs rax, 0x3db53db53db53db5
        rep stosq
        movabs rax, 0x1c003c003d100305
        lea r14, [rip + winic_region + 192]
        winic_setup_end
        winic_function kernel_single, kernel
        .ascii "\110\211\005"
        .long winic_region + 2048 - . - 4
        mov rax, qword ptr [r14 + 1856]
        .ascii "\110\211\005"
        .long winic_region + 2112 - . - 4
        mov rax, qword ptr [r14 + 1920]
        .ascii "\110\211\005"
        .long winic_region + 2176 - . - 4
        mov rax, qword ptr [r14 + 1984]
        .ascii "\110\211\005"
        .long winic_region + 2240 - . - 4
        mov rax, qword ptr [r14 + 2048]
        .ascii "\110\211\005"
        .long winic_region + 2304 - . - 4
        mov rax, qword ptr [r14 + 2112]
        .ascii "\110\211\005"
        .long winic_region + 2368 - . - 4
        mov rax, qword ptr [r14 + 2176]
        winic_loop_count kernel_single
        winic_function_end
