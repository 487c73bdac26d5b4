# latency of SHL64rCL:EFLAGS>EFLAGS, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        movabs rcx, 0x1c003c003d103c05
        movabs rbp, 0x1c003c003d103c49
        movabs r12, 0x1c003c003d103c6b
        movabs r13, 0x1c003c003d103c6d
        movabs r14, 0x1c003c003d103c05
        winic_setup_end
        winic_function kernel_single, kernel
        shl rbp, cl
        shl r13, cl
        shl r12, cl
        shl rbp, cl
        shl r13, cl
        shl r12, cl
        shl rbp, cl
        shl r13, cl
        shl r12, cl
        shl rbp, cl
        shl r13, cl
        shl r12, cl
        winic_loop_flagless_rcx kernel_single
        winic_function_end
