# latency of MOVA_VG2_MXI2Z:4>0 then MOVA_VG2_2ZMXI:1>0, Rotating, 0 fillers; 6 instances or passes
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
        movz x8, #0x0
        movz x9, #0x8
        movz x10, #0x10
        movz x11, #0x18
        winic_setup_end
        winic_function kernel_single, kernel
        mov za.d[w8, 0, vgx2], { z10.d, z11.d }
        mov { z0.d, z1.d }, za.d[w8, 0, vgx2]
        mov za.d[w8, 1, vgx2], { z0.d, z1.d }
        mov { z2.d, z3.d }, za.d[w8, 1, vgx2]
        mov za.d[w8, 2, vgx2], { z2.d, z3.d }
        mov { z4.d, z5.d }, za.d[w8, 2, vgx2]
        mov za.d[w8, 3, vgx2], { z4.d, z5.d }
        mov { z6.d, z7.d }, za.d[w8, 3, vgx2]
        mov za.d[w8, 4, vgx2], { z6.d, z7.d }
        mov { z8.d, z9.d }, za.d[w8, 4, vgx2]
        mov za.d[w8, 5, vgx2], { z8.d, z9.d }
        mov { z10.d, z11.d }, za.d[w8, 5, vgx2]
        winic_loop_count kernel_single
        smstop
        winic_function_end
