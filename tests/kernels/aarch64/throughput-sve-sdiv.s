# throughput of SDIV_ZPmZ_S; 18 instances or passes
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
        movz x0, #0x112
        movk x0, #0x112, lsl #32
        dup z31.d, x0
        ptrue p7.b
        winic_setup_end
        winic_function kernel_single, kernel
        sdiv z0.s, p7/m, z0.s, z31.s
        sdiv z1.s, p7/m, z1.s, z31.s
        sdiv z2.s, p7/m, z2.s, z31.s
        sdiv z3.s, p7/m, z3.s, z31.s
        sdiv z4.s, p7/m, z4.s, z31.s
        sdiv z5.s, p7/m, z5.s, z31.s
        sdiv z6.s, p7/m, z6.s, z31.s
        sdiv z7.s, p7/m, z7.s, z31.s
        sdiv z8.s, p7/m, z8.s, z31.s
        sdiv z9.s, p7/m, z9.s, z31.s
        sdiv z10.s, p7/m, z10.s, z31.s
        sdiv z11.s, p7/m, z11.s, z31.s
        sdiv z12.s, p7/m, z12.s, z31.s
        sdiv z13.s, p7/m, z13.s, z31.s
        sdiv z14.s, p7/m, z14.s, z31.s
        sdiv z15.s, p7/m, z15.s, z31.s
        sdiv z16.s, p7/m, z16.s, z31.s
        sdiv z17.s, p7/m, z17.s, z31.s
        winic_loop_count kernel_single
        winic_function_end
