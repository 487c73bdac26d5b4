# throughput of LUTI2_2ZTZI_B; 18 instances or passes
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
        ld1rh { z31.h }, p0/z, [x28, #48]
        winic_setup_end
        winic_function kernel_single, kernel
        luti2 { z0.b, z1.b }, zt0, z31[5]
        luti2 { z2.b, z3.b }, zt0, z31[5]
        luti2 { z4.b, z5.b }, zt0, z31[5]
        luti2 { z6.b, z7.b }, zt0, z31[5]
        luti2 { z8.b, z9.b }, zt0, z31[5]
        luti2 { z10.b, z11.b }, zt0, z31[5]
        luti2 { z12.b, z13.b }, zt0, z31[5]
        luti2 { z14.b, z15.b }, zt0, z31[5]
        luti2 { z16.b, z17.b }, zt0, z31[5]
        luti2 { z18.b, z19.b }, zt0, z31[5]
        luti2 { z20.b, z21.b }, zt0, z31[5]
        luti2 { z22.b, z23.b }, zt0, z31[5]
        luti2 { z24.b, z25.b }, zt0, z31[5]
        luti2 { z26.b, z27.b }, zt0, z31[5]
        luti2 { z28.b, z29.b }, zt0, z31[5]
        luti2 { z0.b, z1.b }, zt0, z31[5]
        luti2 { z2.b, z3.b }, zt0, z31[5]
        luti2 { z4.b, z5.b }, zt0, z31[5]
        winic_loop_count kernel_single
        smstop
        winic_function_end
