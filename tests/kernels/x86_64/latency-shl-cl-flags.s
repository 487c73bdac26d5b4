# latency of SHL64rCL:CL>EFLAGS then SETCCr:EFLAGS>0 then MOVZX32rr8:1>0, Rotating, 0 fillers; 4 instances or passes
        winic_setup kernel
        movabs rax, 0x1c003c003d100305
        movabs rbx, 0x1c003c003d103c59
        movabs rcx, 0x1c003c003d103c05
        movabs rdx, 0x5
        movabs rbp, 0x1c003c003d103c49
        movabs rsi, 0x1c003c003d103c5d
        movabs r12, 0x1c003c003d103c6b
        movabs r13, 0x1c003c003d103c6d
        movabs r14, 0x1c003c003d103c6f
        winic_setup_end
        winic_function kernel_single, kernel
        shl rbp, cl
        sete dl
        movzx ecx, dl
        shl r13, cl
        sete al
        movzx ecx, al
        shl r12, cl
        sete sil
        movzx ecx, sil
        shl r14, cl
        sete bl
        movzx ecx, bl
        winic_loop_count kernel_single
        winic_function_end
