# throughput of LDR_ZA; 18 instances or passes
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
        adrp x30, winic_region + 0
        add x30, x30, :lo12:(winic_region + 0)
        winic_setup_end
        winic_function kernel_single, kernel
        ldr za[w12, 0], [x30]
        ldr za[w13, 0], [x30]
        ldr za[w14, 0], [x30]
        ldr za[w15, 0], [x30]
        ldr za[w12, 0], [x30]
        ldr za[w13, 0], [x30]
        ldr za[w14, 0], [x30]
        ldr za[w15, 0], [x30]
        ldr za[w12, 0], [x30]
        ldr za[w13, 0], [x30]
        ldr za[w14, 0], [x30]
        ldr za[w15, 0], [x30]
        ldr za[w12, 0], [x30]
        ldr za[w13, 0], [x30]
        ldr za[w14, 0], [x30]
        ldr za[w15, 0], [x30]
        ldr za[w12, 0], [x30]
        ldr za[w13, 0], [x30]
        winic_loop_count kernel_single
        smstop
        winic_function_end
