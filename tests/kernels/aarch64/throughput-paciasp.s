# throughput of PACIASP, LR=ORRXrs every 1; 18 instances or passes
        winic_setup kernel
        ldr x27, [x28, #304]
        ldr x29, [x28, #304]
        ldr x30, [x28, #304]
        winic_setup_end
        winic_function kernel_single, kernel
        paciasp
        orr x30, x29, x27
        paciasp
        orr x30, x29, x27
        paciasp
        orr x30, x29, x27
        paciasp
        orr x30, x29, x27
        paciasp
        orr x30, x29, x27
        paciasp
        orr x30, x29, x27
        paciasp
        orr x30, x29, x27
        paciasp
        orr x30, x29, x27
        paciasp
        orr x30, x29, x27
        paciasp
        orr x30, x29, x27
        paciasp
        orr x30, x29, x27
        paciasp
        orr x30, x29, x27
        paciasp
        orr x30, x29, x27
        paciasp
        orr x30, x29, x27
        paciasp
        orr x30, x29, x27
        paciasp
        orr x30, x29, x27
        paciasp
        orr x30, x29, x27
        paciasp
        orr x30, x29, x27
        winic_loop_count kernel_single
        winic_function_end
