# latency of MULX64rr:RDX>0, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        movabs rbp, 0x1c003c003d103c49
        movabs rdx, 0x5
        movabs r12, 0x1c003c003d103c6b
        movabs r13, 0x1c003c003d103c6d
        movabs r14, 0x1c003c003d103c6f
        winic_setup_end
        winic_function kernel_single, kernel
        mulx rdx, rbp, r14
        mulx rdx, r13, r14
        mulx rdx, r12, r14
        mulx rdx, rbp, r14
        mulx rdx, r13, r14
        mulx rdx, r12, r14
        mulx rdx, rbp, r14
        mulx rdx, r13, r14
        mulx rdx, r12, r14
        mulx rdx, rbp, r14
        mulx rdx, r13, r14
        mulx rdx, r12, r14
        winic_loop_count kernel_single
        winic_function_end
