# latency of SHA256Hrrr:1>0, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        ldr q0, [x28, #0]
        ldr q30, [x28, #32]
        ldr q31, [x28, #48]
        winic_setup_end
        winic_function kernel_single, kernel
        sha256h q0, q31, v30.4s
        sha256h q0, q31, v30.4s
        sha256h q0, q31, v30.4s
        sha256h q0, q31, v30.4s
        sha256h q0, q31, v30.4s
        sha256h q0, q31, v30.4s
        sha256h q0, q31, v30.4s
        sha256h q0, q31, v30.4s
        sha256h q0, q31, v30.4s
        sha256h q0, q31, v30.4s
        sha256h q0, q31, v30.4s
        sha256h q0, q31, v30.4s
        winic_loop_count kernel_single
        winic_function_end
