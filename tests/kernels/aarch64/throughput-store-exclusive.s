# throughput of STLXRH; 18 instances or passes
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
        ldr x0, [x28, #64]
        ldr x1, [x28, #72]
        ldr x2, [x28, #80]
        ldr x3, [x28, #88]
        ldr x4, [x28, #96]
        ldr x5, [x28, #104]
        ldr x6, [x28, #112]
        ldr x7, [x28, #120]
        ldr x8, [x28, #128]
        ldr x9, [x28, #136]
        ldr x10, [x28, #144]
        ldr x11, [x28, #152]
        ldr x12, [x28, #160]
        adrp x14, winic_region + 832
        add x14, x14, :lo12:(winic_region + 832)
        adrp x15, winic_region + 768
        add x15, x15, :lo12:(winic_region + 768)
        adrp x16, winic_region + 704
        add x16, x16, :lo12:(winic_region + 704)
        adrp x17, winic_region + 640
        add x17, x17, :lo12:(winic_region + 640)
        adrp x19, winic_region + 576
        add x19, x19, :lo12:(winic_region + 576)
        adrp x20, winic_region + 512
        add x20, x20, :lo12:(winic_region + 512)
        adrp x21, winic_region + 448
        add x21, x21, :lo12:(winic_region + 448)
        adrp x22, winic_region + 384
        add x22, x22, :lo12:(winic_region + 384)
        adrp x23, winic_region + 320
        add x23, x23, :lo12:(winic_region + 320)
        adrp x24, winic_region + 256
        add x24, x24, :lo12:(winic_region + 256)
        adrp x25, winic_region + 192
        add x25, x25, :lo12:(winic_region + 192)
        adrp x26, winic_region + 128
        add x26, x26, :lo12:(winic_region + 128)
        adrp x27, winic_region + 64
        add x27, x27, :lo12:(winic_region + 64)
        adrp x29, winic_region + 0
        add x29, x29, :lo12:(winic_region + 0)
        ldr x30, [x28, #304]
        winic_setup_end
        winic_function kernel_single, kernel
        ldxrh w13, [x29]
        stlxrh w0, w30, [x29]
        ldxrh w13, [x27]
        stlxrh w1, w30, [x27]
        ldxrh w13, [x26]
        stlxrh w2, w30, [x26]
        ldxrh w13, [x25]
        stlxrh w3, w30, [x25]
        ldxrh w13, [x24]
        stlxrh w4, w30, [x24]
        ldxrh w13, [x23]
        stlxrh w5, w30, [x23]
        ldxrh w13, [x22]
        stlxrh w6, w30, [x22]
        ldxrh w13, [x21]
        stlxrh w7, w30, [x21]
        ldxrh w13, [x20]
        stlxrh w8, w30, [x20]
        ldxrh w13, [x19]
        stlxrh w9, w30, [x19]
        ldxrh w13, [x17]
        stlxrh w10, w30, [x17]
        ldxrh w13, [x16]
        stlxrh w11, w30, [x16]
        ldxrh w13, [x15]
        stlxrh w12, w30, [x15]
        ldxrh w13, [x14]
        stlxrh w0, w30, [x14]
        ldxrh w13, [x29]
        stlxrh w1, w30, [x29]
        ldxrh w13, [x27]
        stlxrh w2, w30, [x27]
        ldxrh w13, [x26]
        stlxrh w3, w30, [x26]
        ldxrh w13, [x25]
        stlxrh w4, w30, [x25]
        winic_loop_count kernel_single
        winic_function_end
