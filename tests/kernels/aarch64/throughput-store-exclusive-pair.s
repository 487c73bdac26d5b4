# throughput of STXPX; 18 instances or passes
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
        adrp x13, winic_region + 832
        add x13, x13, :lo12:(winic_region + 832)
        adrp x14, winic_region + 768
        add x14, x14, :lo12:(winic_region + 768)
        adrp x15, winic_region + 704
        add x15, x15, :lo12:(winic_region + 704)
        adrp x16, winic_region + 640
        add x16, x16, :lo12:(winic_region + 640)
        adrp x17, winic_region + 576
        add x17, x17, :lo12:(winic_region + 576)
        adrp x19, winic_region + 512
        add x19, x19, :lo12:(winic_region + 512)
        adrp x20, winic_region + 448
        add x20, x20, :lo12:(winic_region + 448)
        adrp x21, winic_region + 384
        add x21, x21, :lo12:(winic_region + 384)
        adrp x22, winic_region + 320
        add x22, x22, :lo12:(winic_region + 320)
        adrp x23, winic_region + 256
        add x23, x23, :lo12:(winic_region + 256)
        adrp x24, winic_region + 192
        add x24, x24, :lo12:(winic_region + 192)
        adrp x25, winic_region + 128
        add x25, x25, :lo12:(winic_region + 128)
        adrp x26, winic_region + 64
        add x26, x26, :lo12:(winic_region + 64)
        adrp x27, winic_region + 0
        add x27, x27, :lo12:(winic_region + 0)
        ldr x29, [x28, #296]
        ldr x30, [x28, #304]
        winic_setup_end
        winic_function kernel_single, kernel
        ldxp x12, x11, [x27]
        stxp w0, x30, x29, [x27]
        ldxp x12, x11, [x26]
        stxp w1, x30, x29, [x26]
        ldxp x12, x11, [x25]
        stxp w2, x30, x29, [x25]
        ldxp x12, x11, [x24]
        stxp w3, x30, x29, [x24]
        ldxp x12, x11, [x23]
        stxp w4, x30, x29, [x23]
        ldxp x12, x11, [x22]
        stxp w5, x30, x29, [x22]
        ldxp x12, x11, [x21]
        stxp w6, x30, x29, [x21]
        ldxp x12, x11, [x20]
        stxp w7, x30, x29, [x20]
        ldxp x12, x11, [x19]
        stxp w8, x30, x29, [x19]
        ldxp x12, x11, [x17]
        stxp w9, x30, x29, [x17]
        ldxp x12, x11, [x16]
        stxp w10, x30, x29, [x16]
        ldxp x12, x11, [x15]
        stxp w0, x30, x29, [x15]
        ldxp x12, x11, [x14]
        stxp w1, x30, x29, [x14]
        ldxp x12, x11, [x13]
        stxp w2, x30, x29, [x13]
        ldxp x12, x11, [x27]
        stxp w3, x30, x29, [x27]
        ldxp x12, x11, [x26]
        stxp w4, x30, x29, [x26]
        ldxp x12, x11, [x25]
        stxp w5, x30, x29, [x25]
        ldxp x12, x11, [x24]
        stxp w6, x30, x29, [x24]
        winic_loop_count kernel_single
        winic_function_end
