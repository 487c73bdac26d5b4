# latency of FCMPDrr:0>NZCV then FCSELDrrr:NZCV>0, Rotating, 0 fillers; 6 instances or passes
        winic_setup kernel
        ldr q0, [x28, #0]
        ldr q1, [x28, #16]
        ldr q2, [x28, #32]
        ldr q3, [x28, #48]
        ldr q4, [x28, #0]
        ldr q5, [x28, #16]
        ldr q29, [x28, #16]
        ldr q30, [x28, #32]
        ldr q31, [x28, #48]
        msr nzcv, xzr
        winic_setup_end
        winic_function kernel_single, kernel
        fcmp d5, d31
        fcsel d0, d30, d29, eq
        fcmp d0, d31
        fcsel d1, d30, d29, eq
        fcmp d1, d31
        fcsel d2, d30, d29, eq
        fcmp d2, d31
        fcsel d3, d30, d29, eq
        fcmp d3, d31
        fcsel d4, d30, d29, eq
        fcmp d4, d31
        fcsel d5, d30, d29, eq
        winic_loop_count kernel_single
        winic_function_end
