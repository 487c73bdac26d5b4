# latency of CCMPXr:NZCV>NZCV, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        msr nzcv, xzr
        ldr x29, [x28, #296]
        ldr x30, [x28, #304]
        winic_setup_end
        winic_function kernel_single, kernel
        ccmp x30, x29, #5, eq
        ccmp x30, x29, #5, eq
        ccmp x30, x29, #5, eq
        ccmp x30, x29, #5, eq
        ccmp x30, x29, #5, eq
        ccmp x30, x29, #5, eq
        ccmp x30, x29, #5, eq
        ccmp x30, x29, #5, eq
        ccmp x30, x29, #5, eq
        ccmp x30, x29, #5, eq
        ccmp x30, x29, #5, eq
        ccmp x30, x29, #5, eq
        winic_loop_flagless kernel_single
        winic_function_end
