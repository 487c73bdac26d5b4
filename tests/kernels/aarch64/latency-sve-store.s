# latency of STR_ZXI:0>memory then LDR_ZXI:memory>0, Same, 0 fillers; 6 instances or passes
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
        adrp x24, winic_region + 2176
        add x24, x24, :lo12:(winic_region + 2176)
        adrp x25, winic_region + 2112
        add x25, x25, :lo12:(winic_region + 2112)
        adrp x26, winic_region + 2048
        add x26, x26, :lo12:(winic_region + 2048)
        adrp x27, winic_region + 2176
        add x27, x27, :lo12:(winic_region + 2176)
        adrp x29, winic_region + 2112
        add x29, x29, :lo12:(winic_region + 2112)
        adrp x30, winic_region + 2048
        add x30, x30, :lo12:(winic_region + 2048)
        winic_setup_end
        winic_function kernel_single, kernel
        str z0, [x30]
        ldr z0, [x26]
        str z0, [x29]
        ldr z0, [x25]
        str z0, [x27]
        ldr z0, [x24]
        str z0, [x30]
        ldr z0, [x26]
        str z0, [x29]
        ldr z0, [x25]
        str z0, [x27]
        ldr z0, [x24]
        winic_loop_count kernel_single
        winic_function_end
