# throughput of STR_ZA; 18 instances or passes
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
        rdsvl x0, #1
        cmp x0, #64
        b.hs 7f
        udf #0
        7:
        smstart
        zero {za}
        movz x12, #0x0
        movz x13, #0x1
        movz x14, #0x2
        movz x15, #0x3
        adrp x17, winic_region + 704
        add x17, x17, :lo12:(winic_region + 704)
        adrp x19, winic_region + 640
        add x19, x19, :lo12:(winic_region + 640)
        adrp x20, winic_region + 576
        add x20, x20, :lo12:(winic_region + 576)
        adrp x21, winic_region + 512
        add x21, x21, :lo12:(winic_region + 512)
        adrp x22, winic_region + 448
        add x22, x22, :lo12:(winic_region + 448)
        adrp x23, winic_region + 384
        add x23, x23, :lo12:(winic_region + 384)
        adrp x24, winic_region + 320
        add x24, x24, :lo12:(winic_region + 320)
        adrp x25, winic_region + 256
        add x25, x25, :lo12:(winic_region + 256)
        adrp x26, winic_region + 192
        add x26, x26, :lo12:(winic_region + 192)
        adrp x27, winic_region + 128
        add x27, x27, :lo12:(winic_region + 128)
        adrp x29, winic_region + 64
        add x29, x29, :lo12:(winic_region + 64)
        adrp x30, winic_region + 0
        add x30, x30, :lo12:(winic_region + 0)
        winic_setup_end
        winic_function kernel_single, kernel
        str za[w15, 0], [x30]
        str za[w15, 0], [x29]
        str za[w15, 0], [x27]
        str za[w15, 0], [x26]
        str za[w15, 0], [x25]
        str za[w15, 0], [x24]
        str za[w15, 0], [x23]
        str za[w15, 0], [x22]
        str za[w15, 0], [x21]
        str za[w15, 0], [x20]
        str za[w15, 0], [x19]
        str za[w15, 0], [x17]
        str za[w15, 0], [x30]
        str za[w15, 0], [x29]
        str za[w15, 0], [x27]
        str za[w15, 0], [x26]
        str za[w15, 0], [x25]
        str za[w15, 0], [x24]
        winic_loop_count kernel_single
        smstop
        winic_function_end
