# throughput of FMLAL_VG2_M2ZZ_HtoS; 18 instances or passes
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
        movz x8, #0x0
        movz x9, #0x8
        movz x10, #0x10
        movz x11, #0x18
        winic_setup_end
        winic_function kernel_single, kernel
        fmlal za.s[w8, 0:1, vgx2], { z31.h, z0.h }, z15.h
        fmlal za.s[w8, 2:3, vgx2], { z31.h, z0.h }, z15.h
        fmlal za.s[w8, 4:5, vgx2], { z31.h, z0.h }, z15.h
        fmlal za.s[w8, 6:7, vgx2], { z31.h, z0.h }, z15.h
        fmlal za.s[w9, 0:1, vgx2], { z31.h, z0.h }, z15.h
        fmlal za.s[w9, 2:3, vgx2], { z31.h, z0.h }, z15.h
        fmlal za.s[w9, 4:5, vgx2], { z31.h, z0.h }, z15.h
        fmlal za.s[w9, 6:7, vgx2], { z31.h, z0.h }, z15.h
        fmlal za.s[w10, 0:1, vgx2], { z31.h, z0.h }, z15.h
        fmlal za.s[w10, 2:3, vgx2], { z31.h, z0.h }, z15.h
        fmlal za.s[w10, 4:5, vgx2], { z31.h, z0.h }, z15.h
        fmlal za.s[w10, 6:7, vgx2], { z31.h, z0.h }, z15.h
        fmlal za.s[w11, 0:1, vgx2], { z31.h, z0.h }, z15.h
        fmlal za.s[w11, 2:3, vgx2], { z31.h, z0.h }, z15.h
        fmlal za.s[w11, 4:5, vgx2], { z31.h, z0.h }, z15.h
        fmlal za.s[w11, 6:7, vgx2], { z31.h, z0.h }, z15.h
        fmlal za.s[w8, 0:1, vgx2], { z31.h, z0.h }, z15.h
        fmlal za.s[w8, 2:3, vgx2], { z31.h, z0.h }, z15.h
        winic_loop_count kernel_single
        smstop
        winic_function_end
