# throughput of AESErr; 18 instances or passes
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
        aese v0.16b, v31.16b
        aese v1.16b, v31.16b
        aese v2.16b, v31.16b
        aese v3.16b, v31.16b
        aese v4.16b, v31.16b
        aese v5.16b, v31.16b
        aese v6.16b, v31.16b
        aese v7.16b, v31.16b
        aese v8.16b, v31.16b
        aese v9.16b, v31.16b
        aese v10.16b, v31.16b
        aese v11.16b, v31.16b
        aese v12.16b, v31.16b
        aese v13.16b, v31.16b
        aese v14.16b, v31.16b
        aese v15.16b, v31.16b
        aese v16.16b, v31.16b
        aese v17.16b, v31.16b
        winic_loop_count kernel_single
        winic_function_end
