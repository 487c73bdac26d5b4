# latency of INCP_XP_D:1>0 then WHILELT_PXX_D:1>0, Rotating, 0 fillers; 6 instances or passes
        winic_setup kernel
        ptrue p0.b
        ptrue p1.b
        ptrue p2.b
        ptrue p3.b
        ptrue p4.b
        ptrue p5.b
        ldr x0, [x28, #64]
        ldr x1, [x28, #72]
        ldr x2, [x28, #80]
        ldr x3, [x28, #88]
        ldr x4, [x28, #96]
        ldr x5, [x28, #104]
        ldr x30, [x28, #304]
        winic_setup_end
        winic_function kernel_single, kernel
        incp x0, p5.d
        whilelt p0.d, x0, x30
        incp x1, p0.d
        whilelt p1.d, x1, x30
        incp x2, p1.d
        whilelt p2.d, x2, x30
        incp x3, p2.d
        whilelt p3.d, x3, x30
        incp x4, p3.d
        whilelt p4.d, x4, x30
        incp x5, p4.d
        whilelt p5.d, x5, x30
        winic_loop_count kernel_single
        winic_function_end
