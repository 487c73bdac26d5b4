# latency of FMLA_ZPmZZ_D:2>0, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        ptrue p0.h
        ld1rh { z0.h }, p0/z, [x28, #0]
        ld1rh { z30.h }, p0/z, [x28, #32]
        ld1rh { z31.h }, p0/z, [x28, #48]
        ptrue p7.b
        winic_setup_end
        winic_function kernel_single, kernel
        fmla z0.d, p7/m, z31.d, z30.d
        fmla z0.d, p7/m, z31.d, z30.d
        fmla z0.d, p7/m, z31.d, z30.d
        fmla z0.d, p7/m, z31.d, z30.d
        fmla z0.d, p7/m, z31.d, z30.d
        fmla z0.d, p7/m, z31.d, z30.d
        fmla z0.d, p7/m, z31.d, z30.d
        fmla z0.d, p7/m, z31.d, z30.d
        fmla z0.d, p7/m, z31.d, z30.d
        fmla z0.d, p7/m, z31.d, z30.d
        fmla z0.d, p7/m, z31.d, z30.d
        fmla z0.d, p7/m, z31.d, z30.d
        winic_loop_count kernel_single
        winic_function_end
