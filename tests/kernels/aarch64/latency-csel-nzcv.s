# latency of CSELXr:NZCV>0 then SUBSXrs:1>NZCV, Rotating, 0 fillers; 6 instances or passes
        winic_setup kernel
        msr nzcv, xzr
        ldr x0, [x28, #64]
        ldr x1, [x28, #72]
        ldr x2, [x28, #80]
        ldr x3, [x28, #88]
        ldr x4, [x28, #96]
        ldr x5, [x28, #104]
        ldr x24, [x28, #256]
        ldr x25, [x28, #264]
        ldr x26, [x28, #272]
        ldr x27, [x28, #280]
        ldr x29, [x28, #296]
        ldr x30, [x28, #304]
        winic_setup_end
        winic_function kernel_single, kernel
        subs x30, x5, x26
        csel x0, x25, x24, eq
        subs x29, x0, x26
        csel x1, x25, x24, eq
        subs x27, x1, x26
        csel x2, x25, x24, eq
        subs x30, x2, x26
        csel x3, x25, x24, eq
        subs x29, x3, x26
        csel x4, x25, x24, eq
        subs x27, x4, x26
        csel x5, x25, x24, eq
        winic_loop_count kernel_single
        winic_function_end
