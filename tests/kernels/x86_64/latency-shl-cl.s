# latency of SHL64rCL:CL>0 then MOV64rr:1>0, Rotating, 0 fillers; 6 instances or passes
        winic_setup kernel
        movabs rcx, 0x1c003c003d103c05
        movabs rax, 0x1c003c003d100305
        movabs rbp, 0x1c003c003d103c49
        movabs rsi, 0x1c003c003d103c5d
        movabs r8, 0x1c003c003d103c55
        movabs r13, 0x1c003c003d103c6d
        winic_setup_end
        winic_function kernel_single, kernel
        cmp rbp, r13
        shl rax, cl
        mov rcx, rax
        cmp rbp, r13
        shl rsi, cl
        mov rcx, rsi
        cmp rbp, r13
        shl r8, cl
        mov rcx, r8
        cmp rbp, r13
        shl rax, cl
        mov rcx, rax
        cmp rbp, r13
        shl rsi, cl
        mov rcx, rsi
        cmp rbp, r13
        shl r8, cl
        mov rcx, r8
        winic_loop_count kernel_single
        winic_function_end
