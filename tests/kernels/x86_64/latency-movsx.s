# latency of MOVSX64rr32:1>0, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        movabs rax, 0x1c003c003d100305
        winic_setup_end
        winic_function kernel_single, kernel
        movsxd rax, eax
        movsxd rax, eax
        movsxd rax, eax
        movsxd rax, eax
        movsxd rax, eax
        movsxd rax, eax
        movsxd rax, eax
        movsxd rax, eax
        movsxd rax, eax
        movsxd rax, eax
        movsxd rax, eax
        movsxd rax, eax
        winic_loop_count kernel_single
        winic_function_end
