# latency of PACIA1716:X16>X17 then ORRXrs:1>0, Rotating, 0 fillers; 6 instances or passes
        winic_setup kernel
        ldr x16, [x28, #192]
        ldr x17, [x28, #200]
        ldr x27, [x28, #200]
        ldr x29, [x28, #200]
        ldr x30, [x28, #304]
        winic_setup_end
        winic_function kernel_single, kernel
        orr x17, x29, x27
        pacia1716
        orr x16, x17, x30
        orr x17, x29, x27
        pacia1716
        orr x16, x17, x30
        orr x17, x29, x27
        pacia1716
        orr x16, x17, x30
        orr x17, x29, x27
        pacia1716
        orr x16, x17, x30
        orr x17, x29, x27
        pacia1716
        orr x16, x17, x30
        orr x17, x29, x27
        pacia1716
        orr x16, x17, x30
        winic_loop_count kernel_single
        winic_function_end
