# latency of MUL:2>0, Same, 3 fillers; 12 instances or passes
        winic_setup kernel
        li x1, 0x1c003c003d103c43
        li x10, 0x1c003c003d103c55
        winic_setup_end
        winic_function kernel_single, kernel
        mul a0, ra, a0
        .rept 3
        .ascii "\023\000\000\000"
        .endr
        mul a0, ra, a0
        .rept 3
        .ascii "\023\000\000\000"
        .endr
        mul a0, ra, a0
        .rept 3
        .ascii "\023\000\000\000"
        .endr
        mul a0, ra, a0
        .rept 3
        .ascii "\023\000\000\000"
        .endr
        mul a0, ra, a0
        .rept 3
        .ascii "\023\000\000\000"
        .endr
        mul a0, ra, a0
        .rept 3
        .ascii "\023\000\000\000"
        .endr
        mul a0, ra, a0
        .rept 3
        .ascii "\023\000\000\000"
        .endr
        mul a0, ra, a0
        .rept 3
        .ascii "\023\000\000\000"
        .endr
        mul a0, ra, a0
        .rept 3
        .ascii "\023\000\000\000"
        .endr
        mul a0, ra, a0
        .rept 3
        .ascii "\023\000\000\000"
        .endr
        mul a0, ra, a0
        .rept 3
        .ascii "\023\000\000\000"
        .endr
        mul a0, ra, a0
        .rept 3
        .ascii "\023\000\000\000"
        .endr
        winic_loop_count kernel_single
        winic_function_end
