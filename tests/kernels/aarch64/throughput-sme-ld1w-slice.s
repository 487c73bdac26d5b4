# throughput of LD1_MXIPXX_H_S; 18 instances or passes
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
        ptrue p7.b
        movz x15, #0x0
        mov x29, #0
        adrp x30, winic_region + 0
        add x30, x30, :lo12:(winic_region + 0)
        winic_setup_end
        winic_function kernel_single, kernel
        ld1w {za0h.s[w15, 1]}, p7/z, [x30, x29, lsl #2]
        ld1w {za1h.s[w15, 1]}, p7/z, [x30, x29, lsl #2]
        ld1w {za2h.s[w15, 1]}, p7/z, [x30, x29, lsl #2]
        ld1w {za3h.s[w15, 1]}, p7/z, [x30, x29, lsl #2]
        ld1w {za0h.s[w15, 1]}, p7/z, [x30, x29, lsl #2]
        ld1w {za1h.s[w15, 1]}, p7/z, [x30, x29, lsl #2]
        ld1w {za2h.s[w15, 1]}, p7/z, [x30, x29, lsl #2]
        ld1w {za3h.s[w15, 1]}, p7/z, [x30, x29, lsl #2]
        ld1w {za0h.s[w15, 1]}, p7/z, [x30, x29, lsl #2]
        ld1w {za1h.s[w15, 1]}, p7/z, [x30, x29, lsl #2]
        ld1w {za2h.s[w15, 1]}, p7/z, [x30, x29, lsl #2]
        ld1w {za3h.s[w15, 1]}, p7/z, [x30, x29, lsl #2]
        ld1w {za0h.s[w15, 1]}, p7/z, [x30, x29, lsl #2]
        ld1w {za1h.s[w15, 1]}, p7/z, [x30, x29, lsl #2]
        ld1w {za2h.s[w15, 1]}, p7/z, [x30, x29, lsl #2]
        ld1w {za3h.s[w15, 1]}, p7/z, [x30, x29, lsl #2]
        ld1w {za0h.s[w15, 1]}, p7/z, [x30, x29, lsl #2]
        ld1w {za1h.s[w15, 1]}, p7/z, [x30, x29, lsl #2]
        winic_loop_count kernel_single
        smstop
        winic_function_end
