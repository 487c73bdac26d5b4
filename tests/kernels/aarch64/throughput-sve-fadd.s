# throughput of FADD_ZPmZ_D; 18 instances or passes
        winic_setup kernel
        ptrue p0.h
        ld1rh { z0.h }, p0/z, [x28, #0]
        ld1rh { z1.h }, p0/z, [x28, #16]
        ld1rh { z2.h }, p0/z, [x28, #32]
        ld1rh { z3.h }, p0/z, [x28, #48]
        ld1rh { z4.h }, p0/z, [x28, #0]
        ld1rh { z5.h }, p0/z, [x28, #16]
        ld1rh { z6.h }, p0/z, [x28, #32]
        ld1rh { z7.h }, p0/z, [x28, #48]
        ld1rh { z8.h }, p0/z, [x28, #0]
        ld1rh { z9.h }, p0/z, [x28, #16]
        ld1rh { z10.h }, p0/z, [x28, #32]
        ld1rh { z11.h }, p0/z, [x28, #48]
        ld1rh { z12.h }, p0/z, [x28, #0]
        ld1rh { z13.h }, p0/z, [x28, #16]
        ld1rh { z14.h }, p0/z, [x28, #32]
        ld1rh { z15.h }, p0/z, [x28, #48]
        ld1rh { z16.h }, p0/z, [x28, #0]
        ld1rh { z17.h }, p0/z, [x28, #16]
        ld1rh { z18.h }, p0/z, [x28, #32]
        ld1rh { z19.h }, p0/z, [x28, #48]
        ld1rh { z20.h }, p0/z, [x28, #0]
        ld1rh { z21.h }, p0/z, [x28, #16]
        ld1rh { z22.h }, p0/z, [x28, #32]
        ld1rh { z23.h }, p0/z, [x28, #48]
        ld1rh { z24.h }, p0/z, [x28, #0]
        ld1rh { z25.h }, p0/z, [x28, #16]
        ld1rh { z26.h }, p0/z, [x28, #32]
        ld1rh { z27.h }, p0/z, [x28, #48]
        ld1rh { z28.h }, p0/z, [x28, #0]
        ld1rh { z29.h }, p0/z, [x28, #16]
        ld1rh { z30.h }, p0/z, [x28, #32]
        ld1rh { z31.h }, p0/z, [x28, #48]
        ptrue p7.b
        winic_setup_end
        winic_function kernel_single, kernel
        fadd z0.d, p7/m, z0.d, z31.d
        fadd z1.d, p7/m, z1.d, z31.d
        fadd z2.d, p7/m, z2.d, z31.d
        fadd z3.d, p7/m, z3.d, z31.d
        fadd z4.d, p7/m, z4.d, z31.d
        fadd z5.d, p7/m, z5.d, z31.d
        fadd z6.d, p7/m, z6.d, z31.d
        fadd z7.d, p7/m, z7.d, z31.d
        fadd z8.d, p7/m, z8.d, z31.d
        fadd z9.d, p7/m, z9.d, z31.d
        fadd z10.d, p7/m, z10.d, z31.d
        fadd z11.d, p7/m, z11.d, z31.d
        fadd z12.d, p7/m, z12.d, z31.d
        fadd z13.d, p7/m, z13.d, z31.d
        fadd z14.d, p7/m, z14.d, z31.d
        fadd z15.d, p7/m, z15.d, z31.d
        fadd z16.d, p7/m, z16.d, z31.d
        fadd z17.d, p7/m, z17.d, z31.d
        winic_loop_count kernel_single
        winic_function_end
