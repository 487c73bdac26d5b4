# throughput of FMAX_VG4_4Z4Z_S; 18 instances or passes
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
        winic_setup_end
        winic_function kernel_single, kernel
        fmax { z0.s - z3.s }, { z0.s - z3.s }, { z28.s - z31.s }
        fmax { z4.s - z7.s }, { z4.s - z7.s }, { z28.s - z31.s }
        fmax { z8.s - z11.s }, { z8.s - z11.s }, { z28.s - z31.s }
        fmax { z12.s - z15.s }, { z12.s - z15.s }, { z28.s - z31.s }
        fmax { z16.s - z19.s }, { z16.s - z19.s }, { z28.s - z31.s }
        fmax { z20.s - z23.s }, { z20.s - z23.s }, { z28.s - z31.s }
        fmax { z24.s - z27.s }, { z24.s - z27.s }, { z28.s - z31.s }
        fmax { z0.s - z3.s }, { z0.s - z3.s }, { z28.s - z31.s }
        fmax { z4.s - z7.s }, { z4.s - z7.s }, { z28.s - z31.s }
        fmax { z8.s - z11.s }, { z8.s - z11.s }, { z28.s - z31.s }
        fmax { z12.s - z15.s }, { z12.s - z15.s }, { z28.s - z31.s }
        fmax { z16.s - z19.s }, { z16.s - z19.s }, { z28.s - z31.s }
        fmax { z20.s - z23.s }, { z20.s - z23.s }, { z28.s - z31.s }
        fmax { z24.s - z27.s }, { z24.s - z27.s }, { z28.s - z31.s }
        fmax { z0.s - z3.s }, { z0.s - z3.s }, { z28.s - z31.s }
        fmax { z4.s - z7.s }, { z4.s - z7.s }, { z28.s - z31.s }
        fmax { z8.s - z11.s }, { z8.s - z11.s }, { z28.s - z31.s }
        fmax { z12.s - z15.s }, { z12.s - z15.s }, { z28.s - z31.s }
        winic_loop_count kernel_single
        smstop
        winic_function_end
