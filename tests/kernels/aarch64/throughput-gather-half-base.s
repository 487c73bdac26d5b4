# throughput of GLDFF1SH_S_IMM; 18 instances or passes
        winic_setup kernel
        movz x0, #0x0
        movk x0, #0x6000, lsl #16
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
        movz x0, #0x0
        movk x0, #0x6000, lsl #16
        dup z31.s, w0
        setffr
        ptrue p7.b
        winic_setup_end
        winic_function kernel_single, kernel
        ldff1sh { z0.s }, p7/z, [z31.s]
        ldff1sh { z1.s }, p7/z, [z31.s]
        ldff1sh { z2.s }, p7/z, [z31.s]
        ldff1sh { z3.s }, p7/z, [z31.s]
        ldff1sh { z4.s }, p7/z, [z31.s]
        ldff1sh { z5.s }, p7/z, [z31.s]
        ldff1sh { z6.s }, p7/z, [z31.s]
        ldff1sh { z7.s }, p7/z, [z31.s]
        ldff1sh { z8.s }, p7/z, [z31.s]
        ldff1sh { z9.s }, p7/z, [z31.s]
        ldff1sh { z10.s }, p7/z, [z31.s]
        ldff1sh { z11.s }, p7/z, [z31.s]
        ldff1sh { z12.s }, p7/z, [z31.s]
        ldff1sh { z13.s }, p7/z, [z31.s]
        ldff1sh { z14.s }, p7/z, [z31.s]
        ldff1sh { z15.s }, p7/z, [z31.s]
        ldff1sh { z16.s }, p7/z, [z31.s]
        ldff1sh { z17.s }, p7/z, [z31.s]
        winic_loop_count kernel_single
        winic_function_end
