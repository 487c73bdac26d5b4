# latency of FMLA_VG4_M4ZZ_S:1>0, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        rdsvl x0, #1
        cmp x0, #64
        b.hs 7f
        udf #0
        7:
        smstart
        zero {za}
        ptrue p0.h
        ld1rh { z15.h }, p0/z, [x28, #48]
        ld1rh { z31.h }, p0/z, [x28, #48]
        ld1rh { z0.h }, p0/z, [x28, #0]
        ld1rh { z1.h }, p0/z, [x28, #16]
        ld1rh { z2.h }, p0/z, [x28, #32]
        movz x8, #0x0
        movz x9, #0x8
        movz x10, #0x10
        movz x11, #0x18
        winic_setup_end
        winic_function kernel_single, kernel
        fmla za.s[w8, 0, vgx4], { z31.s, z0.s, z1.s, z2.s }, z15.s
        fmla za.s[w8, 0, vgx4], { z31.s, z0.s, z1.s, z2.s }, z15.s
        fmla za.s[w8, 0, vgx4], { z31.s, z0.s, z1.s, z2.s }, z15.s
        fmla za.s[w8, 0, vgx4], { z31.s, z0.s, z1.s, z2.s }, z15.s
        fmla za.s[w8, 0, vgx4], { z31.s, z0.s, z1.s, z2.s }, z15.s
        fmla za.s[w8, 0, vgx4], { z31.s, z0.s, z1.s, z2.s }, z15.s
        fmla za.s[w8, 0, vgx4], { z31.s, z0.s, z1.s, z2.s }, z15.s
        fmla za.s[w8, 0, vgx4], { z31.s, z0.s, z1.s, z2.s }, z15.s
        fmla za.s[w8, 0, vgx4], { z31.s, z0.s, z1.s, z2.s }, z15.s
        fmla za.s[w8, 0, vgx4], { z31.s, z0.s, z1.s, z2.s }, z15.s
        fmla za.s[w8, 0, vgx4], { z31.s, z0.s, z1.s, z2.s }, z15.s
        fmla za.s[w8, 0, vgx4], { z31.s, z0.s, z1.s, z2.s }, z15.s
        winic_loop_count kernel_single
        smstop
        winic_function_end
