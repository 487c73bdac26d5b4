# latency of FMLA_ZPmZZ_D:1>0 then CMPHI_PPzZZ_D:2>0, Rotating, 0 fillers; 6 instances or passes
        winic_setup kernel
        ptrue p0.h
        ld1rh { z0.h }, p0/z, [x28, #0]
        ld1rh { z1.h }, p0/z, [x28, #16]
        ld1rh { z2.h }, p0/z, [x28, #32]
        ld1rh { z3.h }, p0/z, [x28, #48]
        ld1rh { z4.h }, p0/z, [x28, #0]
        ld1rh { z5.h }, p0/z, [x28, #16]
        ld1rh { z29.h }, p0/z, [x28, #16]
        ld1rh { z30.h }, p0/z, [x28, #32]
        ld1rh { z31.h }, p0/z, [x28, #48]
        ptrue p0.b
        ptrue p1.b
        ptrue p2.b
        ptrue p3.b
        ptrue p7.b
        winic_setup_end
        winic_function kernel_single, kernel
        fmla z0.d, p1/m, z31.d, z30.d
        cmphi p0.d, p7/z, z0.d, z29.d
        fmla z1.d, p0/m, z31.d, z30.d
        cmphi p1.d, p7/z, z1.d, z29.d
        fmla z2.d, p1/m, z31.d, z30.d
        cmphi p2.d, p7/z, z2.d, z29.d
        fmla z3.d, p2/m, z31.d, z30.d
        cmphi p3.d, p7/z, z3.d, z29.d
        fmla z4.d, p3/m, z31.d, z30.d
        cmphi p0.d, p7/z, z4.d, z29.d
        fmla z5.d, p0/m, z31.d, z30.d
        cmphi p1.d, p7/z, z5.d, z29.d
        winic_loop_count kernel_single
        winic_function_end
