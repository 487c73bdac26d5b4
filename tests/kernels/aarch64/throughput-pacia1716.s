# throughput of PACIA1716, X17=ORRXrs every 1; 18 instances or passes
        winic_setup kernel
        ldr x16, [x28, #192]
        ldr x17, [x28, #200]
        ldr x29, [x28, #200]
        ldr x30, [x28, #200]
        winic_setup_end
        winic_function kernel_single, kernel
        pacia1716
        orr x17, x30, x29
        pacia1716
        orr x17, x30, x29
        pacia1716
        orr x17, x30, x29
        pacia1716
        orr x17, x30, x29
        pacia1716
        orr x17, x30, x29
        pacia1716
        orr x17, x30, x29
        pacia1716
        orr x17, x30, x29
        pacia1716
        orr x17, x30, x29
        pacia1716
        orr x17, x30, x29
        pacia1716
        orr x17, x30, x29
        pacia1716
        orr x17, x30, x29
        pacia1716
        orr x17, x30, x29
        pacia1716
        orr x17, x30, x29
        pacia1716
        orr x17, x30, x29
        pacia1716
        orr x17, x30, x29
        pacia1716
        orr x17, x30, x29
        pacia1716
        orr x17, x30, x29
        pacia1716
        orr x17, x30, x29
        winic_loop_count kernel_single
        winic_function_end
