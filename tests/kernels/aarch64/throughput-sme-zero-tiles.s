# throughput of ZERO_M; 18 instances or passes
        winic_setup kernel
        rdsvl x0, #1
        cmp x0, #64
        b.hs 7f
        udf #0
        7:
        smstart
        zero {za}
        winic_setup_end
        winic_function kernel_single, kernel
        zero {za}
        zero {za}
        zero {za}
        zero {za}
        zero {za}
        zero {za}
        zero {za}
        zero {za}
        zero {za}
        zero {za}
        zero {za}
        zero {za}
        zero {za}
        zero {za}
        zero {za}
        zero {za}
        zero {za}
        zero {za}
        winic_loop_count kernel_single
        smstop
        winic_function_end
