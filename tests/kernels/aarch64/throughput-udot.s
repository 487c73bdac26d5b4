# throughput of UDOTv16i8; 18 instances or passes
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
        udot v0.4s, v31.16b, v30.16b
        udot v1.4s, v31.16b, v30.16b
        udot v2.4s, v31.16b, v30.16b
        udot v3.4s, v31.16b, v30.16b
        udot v4.4s, v31.16b, v30.16b
        udot v5.4s, v31.16b, v30.16b
        udot v6.4s, v31.16b, v30.16b
        udot v7.4s, v31.16b, v30.16b
        udot v8.4s, v31.16b, v30.16b
        udot v9.4s, v31.16b, v30.16b
        udot v10.4s, v31.16b, v30.16b
        udot v11.4s, v31.16b, v30.16b
        udot v12.4s, v31.16b, v30.16b
        udot v13.4s, v31.16b, v30.16b
        udot v14.4s, v31.16b, v30.16b
        udot v15.4s, v31.16b, v30.16b
        udot v16.4s, v31.16b, v30.16b
        udot v17.4s, v31.16b, v30.16b
        winic_loop_count kernel_single
        winic_function_end
