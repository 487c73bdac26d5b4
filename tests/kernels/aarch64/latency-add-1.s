# latency of ADDXrs:1>0, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        ldr x0, [x28, #64]
        ldr x30, [x28, #304]
        winic_setup_end
        winic_function kernel_single, kernel
        add x0, x0, x30
        add x0, x0, x30
        add x0, x0, x30
        add x0, x0, x30
        add x0, x0, x30
        add x0, x0, x30
        add x0, x0, x30
        add x0, x0, x30
        add x0, x0, x30
        add x0, x0, x30
        add x0, x0, x30
        add x0, x0, x30
        winic_loop_count kernel_single
        winic_function_end
