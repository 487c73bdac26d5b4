# latency of MADDXrrr:3>0, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        ldr x0, [x28, #64]
        ldr x29, [x28, #296]
        ldr x30, [x28, #304]
        winic_setup_end
        winic_function kernel_single, kernel
        madd x0, x30, x29, x0
        madd x0, x30, x29, x0
        madd x0, x30, x29, x0
        madd x0, x30, x29, x0
        madd x0, x30, x29, x0
        madd x0, x30, x29, x0
        madd x0, x30, x29, x0
        madd x0, x30, x29, x0
        madd x0, x30, x29, x0
        madd x0, x30, x29, x0
        madd x0, x30, x29, x0
        madd x0, x30, x29, x0
        winic_loop_count kernel_single
        winic_function_end
