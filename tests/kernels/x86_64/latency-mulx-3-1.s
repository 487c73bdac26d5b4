# latency of MULX64rr:2>1, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        movabs rax, 0x1c003c003d100305
        movabs rbp, 0x1c003c003d103c49
        movabs rdx, 0x5
        movabs r12, 0x1c003c003d103c6b
        movabs r13, 0x1c003c003d103c6d
        winic_setup_end
        winic_function kernel_single, kernel
        mulx rbp, rax, rax
        mulx r13, rax, rax
        mulx r12, rax, rax
        mulx rbp, rax, rax
        mulx r13, rax, rax
        mulx r12, rax, rax
        mulx rbp, rax, rax
        mulx r13, rax, rax
        mulx r12, rax, rax
        mulx rbp, rax, rax
        mulx r13, rax, rax
        mulx r12, rax, rax
        winic_loop_count kernel_single
        winic_function_end
