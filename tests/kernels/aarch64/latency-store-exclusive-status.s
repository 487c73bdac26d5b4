# latency of STXRX:2>0 then ANDXrs:1>0=0 then ORRXrs:1>0=STXRX:2, Rotating, 0 fillers; 6 instances or passes
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
        adrp x1, winic_region + 0
        add x1, x1, :lo12:(winic_region + 0)
        ldr x2, [x28, #80]
        adrp x3, winic_region + 0
        add x3, x3, :lo12:(winic_region + 0)
        ldr x4, [x28, #96]
        adrp x5, winic_region + 0
        add x5, x5, :lo12:(winic_region + 0)
        ldr x6, [x28, #112]
        adrp x7, winic_region + 0
        add x7, x7, :lo12:(winic_region + 0)
        ldr x25, [x28, #264]
        adrp x26, winic_region + 128
        add x26, x26, :lo12:(winic_region + 128)
        adrp x27, winic_region + 64
        add x27, x27, :lo12:(winic_region + 64)
        adrp x29, winic_region + 0
        add x29, x29, :lo12:(winic_region + 0)
        mov x30, #0
        winic_setup_end
        winic_function kernel_single, kernel
        and x0, x5, x30
        orr x1, x0, x29
        ldxr x24, [x1]
        stxr w0, x25, [x1]
        and x2, x0, x30
        orr x3, x2, x27
        ldxr x24, [x3]
        stxr w1, x25, [x3]
        and x4, x1, x30
        orr x5, x4, x26
        ldxr x24, [x5]
        stxr w2, x25, [x5]
        and x6, x2, x30
        orr x7, x6, x29
        ldxr x24, [x7]
        stxr w3, x25, [x7]
        and x0, x3, x30
        orr x1, x0, x27
        ldxr x24, [x1]
        stxr w4, x25, [x1]
        and x2, x4, x30
        orr x3, x2, x26
        ldxr x24, [x3]
        stxr w5, x25, [x3]
        winic_loop_count kernel_single
        winic_function_end
