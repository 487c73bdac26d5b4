# throughput of FMADDDrrr; 18 instances or passes
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
        fmadd d0, d31, d30, d29
        fmadd d1, d31, d30, d29
        fmadd d2, d31, d30, d29
        fmadd d3, d31, d30, d29
        fmadd d4, d31, d30, d29
        fmadd d5, d31, d30, d29
        fmadd d6, d31, d30, d29
        fmadd d7, d31, d30, d29
        fmadd d8, d31, d30, d29
        fmadd d9, d31, d30, d29
        fmadd d10, d31, d30, d29
        fmadd d11, d31, d30, d29
        fmadd d12, d31, d30, d29
        fmadd d13, d31, d30, d29
        fmadd d14, d31, d30, d29
        fmadd d15, d31, d30, d29
        fmadd d16, d31, d30, d29
        fmadd d17, d31, d30, d29
        winic_loop_count kernel_single
        winic_function_end
