# throughput of FMOPA_MPPZZ_S; 18 instances or passes
        winic_setup kernel
        rdsvl x0, #1
        cmp x0, #64
        b.hs 7f
        udf #0
        7:
        smstart
        zero {za}
        ptrue p0.h
        ld1rh { z30.h }, p0/z, [x28, #32]
        ld1rh { z31.h }, p0/z, [x28, #48]
        ptrue p6.b
        ptrue p7.b
        winic_setup_end
        winic_function kernel_single, kernel
        fmopa za0.s, p7/m, p6/m, z31.s, z30.s
        fmopa za1.s, p7/m, p6/m, z31.s, z30.s
        fmopa za2.s, p7/m, p6/m, z31.s, z30.s
        fmopa za3.s, p7/m, p6/m, z31.s, z30.s
        fmopa za0.s, p7/m, p6/m, z31.s, z30.s
        fmopa za1.s, p7/m, p6/m, z31.s, z30.s
        fmopa za2.s, p7/m, p6/m, z31.s, z30.s
        fmopa za3.s, p7/m, p6/m, z31.s, z30.s
        fmopa za0.s, p7/m, p6/m, z31.s, z30.s
        fmopa za1.s, p7/m, p6/m, z31.s, z30.s
        fmopa za2.s, p7/m, p6/m, z31.s, z30.s
        fmopa za3.s, p7/m, p6/m, z31.s, z30.s
        fmopa za0.s, p7/m, p6/m, z31.s, z30.s
        fmopa za1.s, p7/m, p6/m, z31.s, z30.s
        fmopa za2.s, p7/m, p6/m, z31.s, z30.s
        fmopa za3.s, p7/m, p6/m, z31.s, z30.s
        fmopa za0.s, p7/m, p6/m, z31.s, z30.s
        fmopa za1.s, p7/m, p6/m, z31.s, z30.s
        winic_loop_count kernel_single
        smstop
        winic_function_end
