# latency of MOVZX32rr8:1>0, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        movabs rax, 0x1c003c003d100305
        winic_setup_end
        winic_function kernel_single, kernel
        movzx eax, al
        movzx eax, al
        movzx eax, al
        movzx eax, al
        movzx eax, al
        movzx eax, al
        movzx eax, al
        movzx eax, al
        movzx eax, al
        movzx eax, al
        movzx eax, al
        movzx eax, al
        winic_loop_count kernel_single
        winic_function_end
