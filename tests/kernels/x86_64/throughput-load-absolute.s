# throughput of MOV64rm@absolute; 18 instances or passes
        winic_setup kernel
        mov edi, 0x60000000
        mov ecx, 520
        movabs rax, 0x3db53db53db53db5
        rep stosq
        movabs rax, 0x1c003c003d100305
        movabs rbp, 0x1c003c003d103c49
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
        mov rax, qword ptr [1610612736]
        mov rcx, qword ptr [1610612736]
        mov rdx, qword ptr [1610612736]
        mov rsi, qword ptr [1610612736]
        mov rdi, qword ptr [1610612736]
        mov r8, qword ptr [1610612736]
        mov r9, qword ptr [1610612736]
        mov r10, qword ptr [1610612736]
        mov r11, qword ptr [1610612736]
        mov rbx, qword ptr [1610612736]
        mov r14, qword ptr [1610612736]
        mov r12, qword ptr [1610612736]
        mov r13, qword ptr [1610612736]
        mov rbp, qword ptr [1610612736]
        mov rax, qword ptr [1610612736]
        mov rcx, qword ptr [1610612736]
        mov rdx, qword ptr [1610612736]
        mov rsi, qword ptr [1610612736]
        winic_loop_count kernel_single
        winic_function_end
