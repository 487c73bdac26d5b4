# latency of XADD64rr:2>0, Rotating, 0 fillers; 12 instances or passes
        winic_setup kernel
        movabs rax, 0x1c003c003d100305
        movabs rbp, 0x1c003c003d103c49
        movabs r12, 0x1c003c003d103c6b
        movabs r13, 0x1c003c003d103c6d
        winic_setup_end
        winic_function kernel_single, kernel
        xadd rax, rbp
        xadd rax, r13
        xadd rax, r12
        xadd rax, rbp
        xadd rax, r13
        xadd rax, r12
        xadd rax, rbp
        xadd rax, r13
        xadd rax, r12
        xadd rax, rbp
        xadd rax, r13
        xadd rax, r12
        winic_loop_count kernel_single
        winic_function_end
