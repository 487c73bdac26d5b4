# throughput of SMLALL_VG4_M4Z4Z_BtoS; 18 instances or passes
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
        smlall za.s[w8, 0:3, vgx4], { z28.b - z31.b }, { z24.b - z27.b }
        smlall za.s[w8, 4:7, vgx4], { z28.b - z31.b }, { z24.b - z27.b }
        smlall za.s[w9, 0:3, vgx4], { z28.b - z31.b }, { z24.b - z27.b }
        smlall za.s[w9, 4:7, vgx4], { z28.b - z31.b }, { z24.b - z27.b }
        smlall za.s[w8, 0:3, vgx4], { z28.b - z31.b }, { z24.b - z27.b }
        smlall za.s[w8, 4:7, vgx4], { z28.b - z31.b }, { z24.b - z27.b }
        smlall za.s[w9, 0:3, vgx4], { z28.b - z31.b }, { z24.b - z27.b }
        smlall za.s[w9, 4:7, vgx4], { z28.b - z31.b }, { z24.b - z27.b }
        smlall za.s[w8, 0:3, vgx4], { z28.b - z31.b }, { z24.b - z27.b }
        smlall za.s[w8, 4:7, vgx4], { z28.b - z31.b }, { z24.b - z27.b }
        smlall za.s[w9, 0:3, vgx4], { z28.b - z31.b }, { z24.b - z27.b }
        smlall za.s[w9, 4:7, vgx4], { z28.b - z31.b }, { z24.b - z27.b }
        smlall za.s[w8, 0:3, vgx4], { z28.b - z31.b }, { z24.b - z27.b }
        smlall za.s[w8, 4:7, vgx4], { z28.b - z31.b }, { z24.b - z27.b }
        smlall za.s[w9, 0:3, vgx4], { z28.b - z31.b }, { z24.b - z27.b }
        smlall za.s[w9, 4:7, vgx4], { z28.b - z31.b }, { z24.b - z27.b }
        smlall za.s[w8, 0:3, vgx4], { z28.b - z31.b }, { z24.b - z27.b }
        smlall za.s[w8, 4:7, vgx4], { z28.b - z31.b }, { z24.b - z27.b }
        winic_loop_count kernel_single
        smstop
        winic_function_end
