# throughput of EXTRACT_ZPMXI_V_D; 18 instances or passes
        winic_setup kernel
        rdsvl x0, #1
        cmp x0, #64
        b.hs 7f
        udf #0
        7:
        smstart
        zero {za}
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
        movz x15, #0x0
        winic_setup_end
        winic_function kernel_single, kernel
        mov z0.d, p7/m, za7v.d[w15, 1]
        mov z1.d, p7/m, za7v.d[w15, 1]
        mov z2.d, p7/m, za7v.d[w15, 1]
        mov z3.d, p7/m, za7v.d[w15, 1]
        mov z4.d, p7/m, za7v.d[w15, 1]
        mov z5.d, p7/m, za7v.d[w15, 1]
        mov z6.d, p7/m, za7v.d[w15, 1]
        mov z7.d, p7/m, za7v.d[w15, 1]
        mov z8.d, p7/m, za7v.d[w15, 1]
        mov z9.d, p7/m, za7v.d[w15, 1]
        mov z10.d, p7/m, za7v.d[w15, 1]
        mov z11.d, p7/m, za7v.d[w15, 1]
        mov z12.d, p7/m, za7v.d[w15, 1]
        mov z13.d, p7/m, za7v.d[w15, 1]
        mov z14.d, p7/m, za7v.d[w15, 1]
        mov z15.d, p7/m, za7v.d[w15, 1]
        mov z16.d, p7/m, za7v.d[w15, 1]
        mov z17.d, p7/m, za7v.d[w15, 1]
        winic_loop_count kernel_single
        smstop
        winic_function_end
