# throughput of CCMPXr, NZCV=ANDSXrs every 1; 18 instances or passes
        winic_setup kernel
        msr nzcv, xzr
        ldr x25, [x28, #264]
        ldr x26, [x28, #272]
        ldr x27, [x28, #280]
        ldr x29, [x28, #296]
        winic_setup_end
        winic_function kernel_single, kernel
        ccmp x26, x25, #5, eq
        ands x30, x29, x27
        ccmp x26, x25, #5, eq
        ands x30, x29, x27
        ccmp x26, x25, #5, eq
        ands x30, x29, x27
        ccmp x26, x25, #5, eq
        ands x30, x29, x27
        ccmp x26, x25, #5, eq
        ands x30, x29, x27
        ccmp x26, x25, #5, eq
        ands x30, x29, x27
        ccmp x26, x25, #5, eq
        ands x30, x29, x27
        ccmp x26, x25, #5, eq
        ands x30, x29, x27
        ccmp x26, x25, #5, eq
        ands x30, x29, x27
        ccmp x26, x25, #5, eq
        ands x30, x29, x27
        ccmp x26, x25, #5, eq
        ands x30, x29, x27
        ccmp x26, x25, #5, eq
        ands x30, x29, x27
        ccmp x26, x25, #5, eq
        ands x30, x29, x27
        ccmp x26, x25, #5, eq
        ands x30, x29, x27
        ccmp x26, x25, #5, eq
        ands x30, x29, x27
        ccmp x26, x25, #5, eq
        ands x30, x29, x27
        ccmp x26, x25, #5, eq
        ands x30, x29, x27
        ccmp x26, x25, #5, eq
        ands x30, x29, x27
        winic_loop_count kernel_single
        winic_function_end
