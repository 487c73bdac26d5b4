# throughput of GLD1W_D_IMM; 18 instances or passes
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
        adrp x0, winic_region + 0
        add x0, x0, :lo12:(winic_region + 0)
        dup z31.d, x0
        ptrue p7.b
        winic_setup_end
        winic_function kernel_single, kernel
        ld1w { z0.d }, p7/z, [z31.d]
        ld1w { z1.d }, p7/z, [z31.d]
        ld1w { z2.d }, p7/z, [z31.d]
        ld1w { z3.d }, p7/z, [z31.d]
        ld1w { z4.d }, p7/z, [z31.d]
        ld1w { z5.d }, p7/z, [z31.d]
        ld1w { z6.d }, p7/z, [z31.d]
        ld1w { z7.d }, p7/z, [z31.d]
        ld1w { z8.d }, p7/z, [z31.d]
        ld1w { z9.d }, p7/z, [z31.d]
        ld1w { z10.d }, p7/z, [z31.d]
        ld1w { z11.d }, p7/z, [z31.d]
        ld1w { z12.d }, p7/z, [z31.d]
        ld1w { z13.d }, p7/z, [z31.d]
        ld1w { z14.d }, p7/z, [z31.d]
        ld1w { z15.d }, p7/z, [z31.d]
        ld1w { z16.d }, p7/z, [z31.d]
        ld1w { z17.d }, p7/z, [z31.d]
        winic_loop_count kernel_single
        winic_function_end
