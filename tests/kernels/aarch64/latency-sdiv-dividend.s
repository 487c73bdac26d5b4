# latency of SDIVXr:1>0 then ANDXrs:1>0=0 then ORRXrs:1>0=SDIVXr:1, Same, 0 fillers; 6 instances or passes
        winic_setup kernel
        ldr x0, [x28, #64]
        ldr x27, [x28, #280]
        mov x29, #0
        movz x30, #0x1112
        winic_setup_end
        winic_function kernel_single, kernel
        sdiv x0, x0, x30
        and x0, x0, x29
        orr x0, x0, x27
        sdiv x0, x0, x30
        and x0, x0, x29
        orr x0, x0, x27
        sdiv x0, x0, x30
        and x0, x0, x29
        orr x0, x0, x27
        sdiv x0, x0, x30
        and x0, x0, x29
        orr x0, x0, x27
        sdiv x0, x0, x30
        and x0, x0, x29
        orr x0, x0, x27
        sdiv x0, x0, x30
        and x0, x0, x29
        orr x0, x0, x27
        winic_loop_count kernel_single
        winic_function_end
