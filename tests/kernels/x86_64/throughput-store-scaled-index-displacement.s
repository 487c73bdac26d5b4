# throughput of MOV64mr@scaled-index-displacement; 18 instances or passes
        winic_setup kernel
        lea rdi, [rip + winic_region]
        mov ecx, 520
        movabs rax, 0x3db53db53db53db5
        rep stosq
        movabs rbp, 0x0
        movabs r13, 0x1c003c003d103c6d
        lea r14, [rip + winic_region + 8]
        winic_setup_end
        winic_function kernel_single, kernel
        mov qword ptr [r14 + 8*rbp - 8], r13
        mov qword ptr [r14 + 8*rbp + 56], r13
        mov qword ptr [r14 + 8*rbp + 120], r13
        mov qword ptr [r14 + 8*rbp + 184], r13
        mov qword ptr [r14 + 8*rbp + 248], r13
        mov qword ptr [r14 + 8*rbp + 312], r13
        mov qword ptr [r14 + 8*rbp + 376], r13
        mov qword ptr [r14 + 8*rbp + 440], r13
        mov qword ptr [r14 + 8*rbp + 504], r13
        mov qword ptr [r14 + 8*rbp + 568], r13
        mov qword ptr [r14 + 8*rbp + 632], r13
        mov qword ptr [r14 + 8*rbp + 696], r13
        mov qword ptr [r14 + 8*rbp + 760], r13
        mov qword ptr [r14 + 8*rbp + 824], r13
        mov qword ptr [r14 + 8*rbp + 888], r13
        mov qword ptr [r14 + 8*rbp - 8], r13
        mov qword ptr [r14 + 8*rbp + 56], r13
        mov qword ptr [r14 + 8*rbp + 120], r13
        winic_loop_count kernel_single
        winic_function_end
