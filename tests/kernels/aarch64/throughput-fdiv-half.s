# throughput of FDIVHrr; 18 instances or passes
        winic_setup kernel
        ldr q0, [x28, #0]
        ldr q1, [x28, #16]
        ldr q2, [x28, #32]
        ldr q3, [x28, #48]
        ldr q4, [x28, #0]
        ldr q5, [x28, #16]
        ldr q6, [x28, #32]
        ldr q7, [x28, #48]
        ldr q8, [x28, #0]
        ldr q9, [x28, #16]
        ldr q10, [x28, #32]
        ldr q11, [x28, #48]
        ldr q12, [x28, #0]
        ldr q13, [x28, #16]
        ldr q14, [x28, #32]
        ldr q15, [x28, #48]
        ldr q16, [x28, #0]
        ldr q17, [x28, #16]
        ldr q18, [x28, #32]
        ldr q19, [x28, #48]
        ldr q20, [x28, #0]
        ldr q21, [x28, #16]
        ldr q22, [x28, #32]
        ldr q23, [x28, #48]
        ldr q24, [x28, #0]
        ldr q25, [x28, #16]
        ldr q26, [x28, #32]
        ldr q27, [x28, #48]
        ldr q28, [x28, #0]
        ldr q29, [x28, #16]
        ldr q30, [x28, #32]
        ldr q31, [x28, #48]
        winic_setup_end
        winic_function kernel_single, kernel
        fdiv h0, h31, h30
        fdiv h1, h31, h30
        fdiv h2, h31, h30
        fdiv h3, h31, h30
        fdiv h4, h31, h30
        fdiv h5, h31, h30
        fdiv h6, h31, h30
        fdiv h7, h31, h30
        fdiv h8, h31, h30
        fdiv h9, h31, h30
        fdiv h10, h31, h30
        fdiv h11, h31, h30
        fdiv h12, h31, h30
        fdiv h13, h31, h30
        fdiv h14, h31, h30
        fdiv h15, h31, h30
        fdiv h16, h31, h30
        fdiv h17, h31, h30
        winic_loop_count kernel_single
        winic_function_end
