# latency of CMPXCHG64rr:RAX>RAX, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        movabs rax, 0x1c003c003d100305
        movabs rbp, 0x1c003c003d103c49
        movabs r12, 0x1c003c003d103c6b
        movabs r13, 0x1c003c003d103c6d
        movabs r14, 0x1c003c003d103c6f
        winic_setup_end
        winic_function kernel_single, kernel
        cmpxchg rbp, r14
        cmpxchg r13, r14
        cmpxchg r12, r14
        cmpxchg rbp, r14
        cmpxchg r13, r14
        cmpxchg r12, r14
        cmpxchg rbp, r14
        cmpxchg r13, r14
        cmpxchg r12, r14
        cmpxchg rbp, r14
        cmpxchg r13, r14
        cmpxchg r12, r14
        winic_loop_count kernel_single
        winic_function_end
