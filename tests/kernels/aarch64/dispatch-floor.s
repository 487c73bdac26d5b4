# fillers only; 32 instances or passes
        winic_setup kernel
        winic_setup_end
        winic_function kernel_single, kernel
        .rept 32
        .ascii "\037\040\003\325"
        .endr
        winic_loop_count kernel_single
        winic_function_end
