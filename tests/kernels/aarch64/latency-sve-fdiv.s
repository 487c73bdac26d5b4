# latency of FDIV_ZPmZ_D:3>0 then AND_ZZZ:1>0=0 then ORR_ZZZ:1>0=FDIV_ZPmZ_D:3, Rotating, 0 fillers; 6 instances or passes
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
        ldr q28, [x28, #0]
        ldr q29, [x28, #0]
        ld1rh { z30.h }, p0/z, [x28, #32]
        dup z31.d, #0
        ptrue p7.b
        winic_setup_end
        winic_function kernel_single, kernel
        orr v0.16b, v29.16b, v28.16b
        fdiv z0.d, p7/m, z0.d, z1.d
        and z1.d, z0.d, z31.d
        orr z2.d, z1.d, z30.d
        fdiv z3.d, p7/m, z3.d, z2.d
        and z4.d, z3.d, z31.d
        orr z5.d, z4.d, z30.d
        fdiv z6.d, p7/m, z6.d, z5.d
        and z7.d, z6.d, z31.d
        orr z0.d, z7.d, z30.d
        fdiv z1.d, p7/m, z1.d, z0.d
        and z2.d, z1.d, z31.d
        orr z3.d, z2.d, z30.d
        fdiv z4.d, p7/m, z4.d, z3.d
        and z5.d, z4.d, z31.d
        orr z6.d, z5.d, z30.d
        fdiv z7.d, p7/m, z7.d, z6.d
        and z0.d, z7.d, z31.d
        orr z1.d, z0.d, z30.d
        winic_loop_count kernel_single
        winic_function_end
