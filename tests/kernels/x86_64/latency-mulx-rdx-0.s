# latency of MULX64rr:RDX>0, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        movabs rbp, 0x1c003c003d103c49
        movabs rbx, 0x1c003c003d103c59
        movabs rdx, 0x5
        movabs r12, 0x1c003c003d103c6b
        movabs r13, 0x1c003c003d103c6d
        movabs r14, 0x1c003c003d103c6f
        winic_setup_end
        winic_function kernel_single, kernel
        mulx rdx, rbp, rbx
        mulx rdx, r13, rbx
        mulx rdx, r12, rbx
        mulx rdx, r14, rbx
        mulx rdx, rbp, rbx
        mulx rdx, r13, rbx
        mulx rdx, r12, rbx
        mulx rdx, r14, rbx
        mulx rdx, rbp, rbx
        mulx rdx, r13, rbx
        mulx rdx, r12, rbx
        mulx rdx, r14, rbx
        winic_loop_count kernel_single
        winic_function_end
