# latency of AESErr:2>0, Rotating, 0 fillers; 12 instances or passes
        winic_setup kernel
        ldr q0, [x28, #0]
        ldr q1, [x28, #16]
        ldr q2, [x28, #32]
        ldr q3, [x28, #48]
        ldr q4, [x28, #0]
        ldr q5, [x28, #16]
        ldr q6, [x28, #32]
        ldr q7, [x28, #48]
        winic_setup_end
        winic_function kernel_single, kernel
        aese v0.16b, v3.16b
        aese v1.16b, v0.16b
        aese v2.16b, v1.16b
        aese v3.16b, v2.16b
        aese v4.16b, v3.16b
        aese v5.16b, v4.16b
        aese v6.16b, v5.16b
        aese v7.16b, v6.16b
        aese v0.16b, v7.16b
        aese v1.16b, v0.16b
        aese v2.16b, v1.16b
        aese v3.16b, v2.16b
        winic_loop_count kernel_single
        winic_function_end
