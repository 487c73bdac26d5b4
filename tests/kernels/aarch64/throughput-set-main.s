# throughput of SETM; 18 instances or passes
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
        adrp x0, winic_region + 0
        add x0, x0, :lo12:(winic_region + 0)
        adrp x1, winic_region + 64
        add x1, x1, :lo12:(winic_region + 64)
        adrp x2, winic_region + 128
        add x2, x2, :lo12:(winic_region + 128)
        adrp x3, winic_region + 192
        add x3, x3, :lo12:(winic_region + 192)
        adrp x4, winic_region + 256
        add x4, x4, :lo12:(winic_region + 256)
        adrp x5, winic_region + 320
        add x5, x5, :lo12:(winic_region + 320)
        adrp x6, winic_region + 384
        add x6, x6, :lo12:(winic_region + 384)
        adrp x7, winic_region + 448
        add x7, x7, :lo12:(winic_region + 448)
        adrp x8, winic_region + 512
        add x8, x8, :lo12:(winic_region + 512)
        adrp x9, winic_region + 576
        add x9, x9, :lo12:(winic_region + 576)
        adrp x10, winic_region + 640
        add x10, x10, :lo12:(winic_region + 640)
        adrp x11, winic_region + 704
        add x11, x11, :lo12:(winic_region + 704)
        adrp x12, winic_region + 768
        add x12, x12, :lo12:(winic_region + 768)
        adrp x13, winic_region + 832
        add x13, x13, :lo12:(winic_region + 832)
        adrp x14, winic_region + 896
        add x14, x14, :lo12:(winic_region + 896)
        adrp x15, winic_region + 960
        add x15, x15, :lo12:(winic_region + 960)
        adrp x16, winic_region + 1024
        add x16, x16, :lo12:(winic_region + 1024)
        adrp x17, winic_region + 1088
        add x17, x17, :lo12:(winic_region + 1088)
        adrp x19, winic_region + 1152
        add x19, x19, :lo12:(winic_region + 1152)
        adrp x20, winic_region + 1216
        add x20, x20, :lo12:(winic_region + 1216)
        adrp x21, winic_region + 1280
        add x21, x21, :lo12:(winic_region + 1280)
        adrp x22, winic_region + 1344
        add x22, x22, :lo12:(winic_region + 1344)
        adrp x23, winic_region + 1408
        add x23, x23, :lo12:(winic_region + 1408)
        adrp x24, winic_region + 1472
        add x24, x24, :lo12:(winic_region + 1472)
        adrp x25, winic_region + 1536
        add x25, x25, :lo12:(winic_region + 1536)
        adrp x26, winic_region + 1600
        add x26, x26, :lo12:(winic_region + 1600)
        movz x27, #0x40
        adrp x29, winic_region + 0
        add x29, x29, :lo12:(winic_region + 0)
        ldr x30, [x28, #304]
        winic_setup_end
        winic_function kernel_single, kernel
        orr x0, x29, x29
        orr x1, x27, x27
        setp [x0]!, x1!, x30
        setm [x0]!, x1!, x30
        orr x2, x29, x29
        orr x3, x27, x27
        setp [x2]!, x3!, x30
        setm [x2]!, x3!, x30
        orr x4, x29, x29
        orr x5, x27, x27
        setp [x4]!, x5!, x30
        setm [x4]!, x5!, x30
        orr x6, x29, x29
        orr x7, x27, x27
        setp [x6]!, x7!, x30
        setm [x6]!, x7!, x30
        orr x8, x29, x29
        orr x9, x27, x27
        setp [x8]!, x9!, x30
        setm [x8]!, x9!, x30
        orr x10, x29, x29
        orr x11, x27, x27
        setp [x10]!, x11!, x30
        setm [x10]!, x11!, x30
        orr x12, x29, x29
        orr x13, x27, x27
        setp [x12]!, x13!, x30
        setm [x12]!, x13!, x30
        orr x14, x29, x29
        orr x15, x27, x27
        setp [x14]!, x15!, x30
        setm [x14]!, x15!, x30
        orr x16, x29, x29
        orr x17, x27, x27
        setp [x16]!, x17!, x30
        setm [x16]!, x17!, x30
        orr x19, x29, x29
        orr x20, x27, x27
        setp [x19]!, x20!, x30
        setm [x19]!, x20!, x30
        orr x21, x29, x29
        orr x22, x27, x27
        setp [x21]!, x22!, x30
        setm [x21]!, x22!, x30
        orr x23, x29, x29
        orr x24, x27, x27
        setp [x23]!, x24!, x30
        setm [x23]!, x24!, x30
        orr x25, x29, x29
        orr x26, x27, x27
        setp [x25]!, x26!, x30
        setm [x25]!, x26!, x30
        orr x0, x29, x29
        orr x1, x27, x27
        setp [x0]!, x1!, x30
        setm [x0]!, x1!, x30
        orr x2, x29, x29
        orr x3, x27, x27
        setp [x2]!, x3!, x30
        setm [x2]!, x3!, x30
        orr x4, x29, x29
        orr x5, x27, x27
        setp [x4]!, x5!, x30
        setm [x4]!, x5!, x30
        orr x6, x29, x29
        orr x7, x27, x27
        setp [x6]!, x7!, x30
        setm [x6]!, x7!, x30
        orr x8, x29, x29
        orr x9, x27, x27
        setp [x8]!, x9!, x30
        setm [x8]!, x9!, x30
        winic_loop_count kernel_single
        winic_function_end
