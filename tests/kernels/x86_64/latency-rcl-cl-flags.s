# latency of RCL64rCL:EFLAGS>EFLAGS, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        movabs rcx, 0x1c003c003d103c05
        movabs rbp, 0x1c003c003d103c49
        movabs r12, 0x1c003c003d103c6b
        movabs r13, 0x1c003c003d103c6d
        movabs r14, 0x1c003c003d103c05
        winic_setup_end
        winic_function kernel_single, kernel
        rcl rbp, cl
        rcl r13, cl
        rcl r12, cl
        rcl rbp, cl
        rcl r13, cl
        rcl r12, cl
        rcl rbp, cl
        rcl r13, cl
        rcl r12, cl
        rcl rbp, cl
        rcl r13, cl
        rcl r12, cl
        winic_loop_flagless_rcx kernel_single
        winic_function_end
