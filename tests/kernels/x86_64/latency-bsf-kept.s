# latency of BSF64rr:1>0, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        movabs rax, 0x1c003c003d100305
        movabs rbp, 0x1c003c003d103c49
        winic_setup_end
        winic_function kernel_single, kernel
        bsf rax, rbp
        bsf rax, rbp
        bsf rax, rbp
        bsf rax, rbp
        bsf rax, rbp
        bsf rax, rbp
        bsf rax, rbp
        bsf rax, rbp
        bsf rax, rbp
        bsf rax, rbp
        bsf rax, rbp
        bsf rax, rbp
        winic_loop_count kernel_single
        winic_function_end
