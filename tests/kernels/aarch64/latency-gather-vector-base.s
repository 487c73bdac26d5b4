# latency of GLD1D_IMM:2>0 then AND_ZZZ:1>0=0 then ORR_ZZZ:1>0=GLD1D_IMM:2, Same, 0 fillers; 6 instances or passes
        winic_setup kernel
        adrp x0, winic_region
        add x0, x0, :lo12:winic_region
        movz x1, #0x3db5
        movk x1, #0x3db5, lsl #16
        movk x1, #0x3db5, lsl #32
        movk x1, #0x3db5, lsl #48
        mov x2, #260
        1: stp x1, x1, [x0], #16
        subs x2, x2, #1
        b.ne 1b
        ptrue p0.h
        adrp x0, winic_region + 0
        add x0, x0, :lo12:(winic_region + 0)
        dup z0.d, x0
        adrp x0, winic_region + 0
        add x0, x0, :lo12:(winic_region + 0)
        dup z30.d, x0
        dup z31.d, #0
        ptrue p7.b
        winic_setup_end
        winic_function kernel_single, kernel
        ld1d { z0.d }, p7/z, [z0.d]
        and z0.d, z0.d, z31.d
        orr z0.d, z0.d, z30.d
        ld1d { z0.d }, p7/z, [z0.d]
        and z0.d, z0.d, z31.d
        orr z0.d, z0.d, z30.d
        ld1d { z0.d }, p7/z, [z0.d]
        and z0.d, z0.d, z31.d
        orr z0.d, z0.d, z30.d
        ld1d { z0.d }, p7/z, [z0.d]
        and z0.d, z0.d, z31.d
        orr z0.d, z0.d, z30.d
        ld1d { z0.d }, p7/z, [z0.d]
        and z0.d, z0.d, z31.d
        orr z0.d, z0.d, z30.d
        ld1d { z0.d }, p7/z, [z0.d]
        and z0.d, z0.d, z31.d
        orr z0.d, z0.d, z30.d
        winic_loop_count kernel_single
        winic_function_end
