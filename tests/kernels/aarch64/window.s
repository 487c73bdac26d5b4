# two chains of FDIVDrr with 8 fillers between them; 4 instances or passes
        winic_setup kernel
        ldr q0, [x28, #0]
        ldr q1, [x28, #16]
        ldr q31, [x28, #48]
        winic_setup_end
        winic_function kernel_single, kernel
        fdiv d0, d31, d0
        fdiv d0, d31, d0
        fdiv d0, d31, d0
        fdiv d0, d31, d0
        .rept 8
        .ascii "\037\040\003\325"
        .endr
        fdiv d1, d31, d1
        fdiv d1, d31, d1
        fdiv d1, d31, d1
        fdiv d1, d31, d1
        .rept 8
        .ascii "\037\040\003\325"
        .endr
        winic_loop_count kernel_single
        winic_function_end
