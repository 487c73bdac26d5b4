# throughput of FMLA_VG4_M4Z4Z_S; 18 instances or passes
        winic_setup kernel
        rdsvl x0, #1
        cmp x0, #64
        b.hs 7f
        udf #0
        7:
        smstart
        zero {za}
        ptrue p0.h
        ld1rh { z24.h }, p0/z, [x28, #0]
        ld1rh { z25.h }, p0/z, [x28, #16]
        ld1rh { z26.h }, p0/z, [x28, #32]
        ld1rh { z27.h }, p0/z, [x28, #48]
        ld1rh { z28.h }, p0/z, [x28, #0]
        ld1rh { z29.h }, p0/z, [x28, #16]
        ld1rh { z30.h }, p0/z, [x28, #32]
        ld1rh { z31.h }, p0/z, [x28, #48]
        movz x8, #0x0
        movz x9, #0x8
        movz x10, #0x10
        movz x11, #0x18
        winic_setup_end
        winic_function kernel_single, kernel
        fmla za.s[w8, 0, vgx4], { z28.s - z31.s }, { z24.s - z27.s }
        fmla za.s[w8, 1, vgx4], { z28.s - z31.s }, { z24.s - z27.s }
        fmla za.s[w8, 2, vgx4], { z28.s - z31.s }, { z24.s - z27.s }
        fmla za.s[w8, 3, vgx4], { z28.s - z31.s }, { z24.s - z27.s }
        fmla za.s[w8, 4, vgx4], { z28.s - z31.s }, { z24.s - z27.s }
        fmla za.s[w8, 5, vgx4], { z28.s - z31.s }, { z24.s - z27.s }
        fmla za.s[w8, 6, vgx4], { z28.s - z31.s }, { z24.s - z27.s }
        fmla za.s[w8, 7, vgx4], { z28.s - z31.s }, { z24.s - z27.s }
        fmla za.s[w9, 0, vgx4], { z28.s - z31.s }, { z24.s - z27.s }
        fmla za.s[w9, 1, vgx4], { z28.s - z31.s }, { z24.s - z27.s }
        fmla za.s[w9, 2, vgx4], { z28.s - z31.s }, { z24.s - z27.s }
        fmla za.s[w9, 3, vgx4], { z28.s - z31.s }, { z24.s - z27.s }
        fmla za.s[w9, 4, vgx4], { z28.s - z31.s }, { z24.s - z27.s }
        fmla za.s[w9, 5, vgx4], { z28.s - z31.s }, { z24.s - z27.s }
        fmla za.s[w9, 6, vgx4], { z28.s - z31.s }, { z24.s - z27.s }
        fmla za.s[w9, 7, vgx4], { z28.s - z31.s }, { z24.s - z27.s }
        fmla za.s[w8, 0, vgx4], { z28.s - z31.s }, { z24.s - z27.s }
        fmla za.s[w8, 1, vgx4], { z28.s - z31.s }, { z24.s - z27.s }
        winic_loop_count kernel_single
        smstop
        winic_function_end
