# latency of STXRX:1>memory then LDRXui:memory>0, Same, 0 fillers; 6 instances or passes
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
        adrp x21, winic_region + 2096
        add x21, x21, :lo12:(winic_region + 2096)
        adrp x22, winic_region + 2048
        add x22, x22, :lo12:(winic_region + 2048)
        adrp x23, winic_region + 2000
        add x23, x23, :lo12:(winic_region + 2000)
        adrp x24, winic_region + 2176
        add x24, x24, :lo12:(winic_region + 2176)
        adrp x25, winic_region + 2112
        add x25, x25, :lo12:(winic_region + 2112)
        adrp x26, winic_region + 2048
        add x26, x26, :lo12:(winic_region + 2048)
        ldr x27, [x28, #280]
        ldr x29, [x28, #296]
        ldr x30, [x28, #304]
        winic_setup_end
        winic_function kernel_single, kernel
        ldxr x20, [x26]
        stxr w30, x0, [x26]
        ldr x0, [x23, #48]
        ldxr x20, [x25]
        stxr w29, x0, [x25]
        ldr x0, [x22, #64]
        ldxr x20, [x24]
        stxr w27, x0, [x24]
        ldr x0, [x21, #80]
        ldxr x20, [x26]
        stxr w30, x0, [x26]
        ldr x0, [x23, #48]
        ldxr x20, [x25]
        stxr w29, x0, [x25]
        ldr x0, [x22, #64]
        ldxr x20, [x24]
        stxr w27, x0, [x24]
        ldr x0, [x21, #80]
        winic_loop_count kernel_single
        winic_function_end
