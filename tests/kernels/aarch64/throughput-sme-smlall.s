# throughput of SMLALL_MZZI_BtoS; 18 instances or passes
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
        movz x8, #0x0
        movz x9, #0x8
        movz x10, #0x10
        movz x11, #0x18
        winic_setup_end
        winic_function kernel_single, kernel
        smlall za.s[w8, 0:3], z31.b, z15.b[5]
        smlall za.s[w8, 4:7], z31.b, z15.b[5]
        smlall za.s[w9, 0:3], z31.b, z15.b[5]
        smlall za.s[w9, 4:7], z31.b, z15.b[5]
        smlall za.s[w10, 0:3], z31.b, z15.b[5]
        smlall za.s[w10, 4:7], z31.b, z15.b[5]
        smlall za.s[w11, 0:3], z31.b, z15.b[5]
        smlall za.s[w11, 4:7], z31.b, z15.b[5]
        smlall za.s[w8, 0:3], z31.b, z15.b[5]
        smlall za.s[w8, 4:7], z31.b, z15.b[5]
        smlall za.s[w9, 0:3], z31.b, z15.b[5]
        smlall za.s[w9, 4:7], z31.b, z15.b[5]
        smlall za.s[w10, 0:3], z31.b, z15.b[5]
        smlall za.s[w10, 4:7], z31.b, z15.b[5]
        smlall za.s[w11, 0:3], z31.b, z15.b[5]
        smlall za.s[w11, 4:7], z31.b, z15.b[5]
        smlall za.s[w8, 0:3], z31.b, z15.b[5]
        smlall za.s[w8, 4:7], z31.b, z15.b[5]
        winic_loop_count kernel_single
        smstop
        winic_function_end
