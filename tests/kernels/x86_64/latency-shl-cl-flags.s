# latency of SHL64rCL:CL>EFLAGS then SETCCr:EFLAGS>0 then MOVZX32rr8:1>0, Rotating, 0 fillers; 6 instances or passes
        winic_setup kernel
        movabs rax, 0x1c003c003d100305
        movabs rbx, 0x1c003c003d103c59
        movabs rbp, 0x1c003c003d103c49
        movabs rcx, 0x1c003c003d103c05
        movabs rdi, 0x1c003c003d103c7f
        movabs rdx, 0x5
        movabs rsi, 0x1c003c003d103c5d
        movabs r10, 0x1c003c003d103c67
        movabs r11, 0x1c003c003d103c69
        movabs r12, 0x1c003c003d103c6b
        movabs r13, 0x1c003c003d103c6d
        movabs r14, 0x1c003c003d103c6f
        winic_setup_end
        winic_function kernel_single, kernel
        cmp r11, r10
        shl r13, cl
        sete al
        movzx ecx, al
        cmp r11, r10
        shl r12, cl
        sete dl
        movzx ecx, dl
        cmp r11, r10
        shl r14, cl
        sete bl
        movzx ecx, bl
        cmp r11, r10
        shl r13, cl
        sete sil
        movzx ecx, sil
        cmp r11, r10
        shl r12, cl
        sete dil
        movzx ecx, dil
        cmp r11, r10
        shl r14, cl
        sete bpl
        movzx ecx, bpl
        winic_loop_count kernel_single
        winic_function_end
