# throughput of FMOPA_MPPZZ_D; 18 instances or passes
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
        fmopa za0.d, p7/m, p6/m, z31.d, z30.d
        fmopa za1.d, p7/m, p6/m, z31.d, z30.d
        fmopa za2.d, p7/m, p6/m, z31.d, z30.d
        fmopa za3.d, p7/m, p6/m, z31.d, z30.d
        fmopa za4.d, p7/m, p6/m, z31.d, z30.d
        fmopa za5.d, p7/m, p6/m, z31.d, z30.d
        fmopa za6.d, p7/m, p6/m, z31.d, z30.d
        fmopa za7.d, p7/m, p6/m, z31.d, z30.d
        fmopa za0.d, p7/m, p6/m, z31.d, z30.d
        fmopa za1.d, p7/m, p6/m, z31.d, z30.d
        fmopa za2.d, p7/m, p6/m, z31.d, z30.d
        fmopa za3.d, p7/m, p6/m, z31.d, z30.d
        fmopa za4.d, p7/m, p6/m, z31.d, z30.d
        fmopa za5.d, p7/m, p6/m, z31.d, z30.d
        fmopa za6.d, p7/m, p6/m, z31.d, z30.d
        fmopa za7.d, p7/m, p6/m, z31.d, z30.d
        fmopa za0.d, p7/m, p6/m, z31.d, z30.d
        fmopa za1.d, p7/m, p6/m, z31.d, z30.d
        winic_loop_count kernel_single
        smstop
        winic_function_end
