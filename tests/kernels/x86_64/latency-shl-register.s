# latency of SHL64rCL:1>0, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        movabs rcx, 0x1c003c003d103c05
        movabs rax, 0x1c003c003d100305
        movabs rbp, 0x1c003c003d103c49
        movabs r13, 0x1c003c003d103c6d
        winic_setup_end
        winic_function kernel_single, kernel
        cmp rbp, r13
        shl rax, cl
        cmp rbp, r13
        shl rax, cl
        cmp rbp, r13
        shl rax, cl
        cmp rbp, r13
        shl rax, cl
        cmp rbp, r13
        shl rax, cl
        cmp rbp, r13
        shl rax, cl
        cmp rbp, r13
        shl rax, cl
        cmp rbp, r13
        shl rax, cl
        cmp rbp, r13
        shl rax, cl
        cmp rbp, r13
        shl rax, cl
        cmp rbp, r13
        shl rax, cl
        cmp rbp, r13
        shl rax, cl
        winic_loop_count kernel_single
        winic_function_end
