# latency of CBW:AL>AX, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        movabs rax, 0x1c003c003d100305
        winic_setup_end
        winic_function kernel_single, kernel
        cbw
        cbw
        cbw
        cbw
        cbw
        cbw
        cbw
        cbw
        cbw
        cbw
        cbw
        cbw
        winic_loop_count kernel_single
        winic_function_end
