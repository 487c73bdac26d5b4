# throughput of STNT1W_ZZR_S; 18 instances or passes
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
        movz x0, #0x380
        movk x0, #0x6000, lsl #16
        dup z16.s, w0
        movz x0, #0x340
        movk x0, #0x6000, lsl #16
        dup z17.s, w0
        movz x0, #0x300
        movk x0, #0x6000, lsl #16
        dup z18.s, w0
        movz x0, #0x2c0
        movk x0, #0x6000, lsl #16
        dup z19.s, w0
        movz x0, #0x280
        movk x0, #0x6000, lsl #16
        dup z20.s, w0
        movz x0, #0x240
        movk x0, #0x6000, lsl #16
        dup z21.s, w0
        movz x0, #0x200
        movk x0, #0x6000, lsl #16
        dup z22.s, w0
        movz x0, #0x1c0
        movk x0, #0x6000, lsl #16
        dup z23.s, w0
        movz x0, #0x180
        movk x0, #0x6000, lsl #16
        dup z24.s, w0
        movz x0, #0x140
        movk x0, #0x6000, lsl #16
        dup z25.s, w0
        movz x0, #0x100
        movk x0, #0x6000, lsl #16
        dup z26.s, w0
        movz x0, #0xc0
        movk x0, #0x6000, lsl #16
        dup z27.s, w0
        movz x0, #0x80
        movk x0, #0x6000, lsl #16
        dup z28.s, w0
        movz x0, #0x40
        movk x0, #0x6000, lsl #16
        dup z29.s, w0
        movz x0, #0x0
        movk x0, #0x6000, lsl #16
        dup z30.s, w0
        ld1rh { z31.h }, p0/z, [x28, #48]
        ptrue p7.b
        mov x30, #0
        winic_setup_end
        winic_function kernel_single, kernel
        stnt1w { z31.s }, p7, [z30.s, x30]
        stnt1w { z31.s }, p7, [z29.s, x30]
        stnt1w { z31.s }, p7, [z28.s, x30]
        stnt1w { z31.s }, p7, [z27.s, x30]
        stnt1w { z31.s }, p7, [z26.s, x30]
        stnt1w { z31.s }, p7, [z25.s, x30]
        stnt1w { z31.s }, p7, [z24.s, x30]
        stnt1w { z31.s }, p7, [z23.s, x30]
        stnt1w { z31.s }, p7, [z22.s, x30]
        stnt1w { z31.s }, p7, [z21.s, x30]
        stnt1w { z31.s }, p7, [z20.s, x30]
        stnt1w { z31.s }, p7, [z19.s, x30]
        stnt1w { z31.s }, p7, [z18.s, x30]
        stnt1w { z31.s }, p7, [z17.s, x30]
        stnt1w { z31.s }, p7, [z16.s, x30]
        stnt1w { z31.s }, p7, [z30.s, x30]
        stnt1w { z31.s }, p7, [z29.s, x30]
        stnt1w { z31.s }, p7, [z28.s, x30]
        winic_loop_count kernel_single
        winic_function_end
