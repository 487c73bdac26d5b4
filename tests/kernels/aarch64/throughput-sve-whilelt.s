# throughput of WHILELT_PXX_D; 18 instances or passes
        winic_setup kernel
        ptrue p0.b
        ptrue p1.b
        ptrue p2.b
        ptrue p3.b
        ptrue p4.b
        ptrue p5.b
        ptrue p6.b
        ptrue p7.b
        ptrue p8.b
        ptrue p9.b
        ptrue p10.b
        ptrue p11.b
        ptrue p12.b
        ptrue p13.b
        ptrue p14.b
        ptrue p15.b
        ldr x29, [x28, #296]
        ldr x30, [x28, #304]
        winic_setup_end
        winic_function kernel_single, kernel
        whilelt p0.d, x30, x29
        whilelt p1.d, x30, x29
        whilelt p2.d, x30, x29
        whilelt p3.d, x30, x29
        whilelt p4.d, x30, x29
        whilelt p5.d, x30, x29
        whilelt p6.d, x30, x29
        whilelt p7.d, x30, x29
        whilelt p8.d, x30, x29
        whilelt p9.d, x30, x29
        whilelt p10.d, x30, x29
        whilelt p11.d, x30, x29
        whilelt p12.d, x30, x29
        whilelt p13.d, x30, x29
        whilelt p14.d, x30, x29
        whilelt p15.d, x30, x29
        whilelt p0.d, x30, x29
        whilelt p1.d, x30, x29
        winic_loop_count kernel_single
        winic_function_end
