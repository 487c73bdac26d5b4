# latency of PTEST_PP:1>NZCV then CSELXr:NZCV>0 then WHILELT_PXX_D:1>0, Rotating, 0 fillers; 6 instances or passes
        winic_setup kernel
        ptrue p0.b
        ptrue p1.b
        ptrue p2.b
        ptrue p3.b
        ptrue p4.b
        ptrue p5.b
        ptrue p15.b
        msr nzcv, xzr
        ldr x0, [x28, #64]
        ldr x1, [x28, #72]
        ldr x2, [x28, #80]
        ldr x3, [x28, #88]
        ldr x4, [x28, #96]
        ldr x5, [x28, #104]
        ldr x27, [x28, #280]
        ldr x29, [x28, #296]
        ldr x30, [x28, #304]
        winic_setup_end
        winic_function kernel_single, kernel
        ptest p15, p5.b
        csel x0, x30, x29, eq
        whilelt p0.d, x0, x27
        ptest p15, p0.b
        csel x1, x30, x29, eq
        whilelt p1.d, x1, x27
        ptest p15, p1.b
        csel x2, x30, x29, eq
        whilelt p2.d, x2, x27
        ptest p15, p2.b
        csel x3, x30, x29, eq
        whilelt p3.d, x3, x27
        ptest p15, p3.b
        csel x4, x30, x29, eq
        whilelt p4.d, x4, x27
        ptest p15, p4.b
        csel x5, x30, x29, eq
        whilelt p5.d, x5, x27
        winic_loop_count kernel_single
        winic_function_end
