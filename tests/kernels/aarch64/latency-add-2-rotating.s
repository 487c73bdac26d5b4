# latency of ADDXrs:2>0, Rotating, 0 fillers; 12 instances or passes
        winic_setup kernel
        ldr x0, [x28, #64]
        ldr x1, [x28, #72]
        ldr x2, [x28, #80]
        ldr x3, [x28, #88]
        ldr x4, [x28, #96]
        ldr x5, [x28, #104]
        ldr x6, [x28, #112]
        ldr x7, [x28, #120]
        ldr x30, [x28, #304]
        winic_setup_end
        winic_function kernel_single, kernel
        add x0, x30, x3
        add x1, x30, x0
        add x2, x30, x1
        add x3, x30, x2
        add x4, x30, x3
        add x5, x30, x4
        add x6, x30, x5
        add x7, x30, x6
        add x0, x30, x7
        add x1, x30, x0
        add x2, x30, x1
        add x3, x30, x2
        winic_loop_count kernel_single
        winic_function_end
