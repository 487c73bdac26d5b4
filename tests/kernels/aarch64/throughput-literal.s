# throughput of LDRQl; 18 instances or passes
        .balign 64
        77:
        .rept 8
        .quad 0x3db53db53db53db5
        .endr
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
        ldr q0, [x28, #0]
        ldr q1, [x28, #16]
        ldr q2, [x28, #32]
        ldr q3, [x28, #48]
        ldr q4, [x28, #0]
        ldr q5, [x28, #16]
        ldr q6, [x28, #32]
        ldr q7, [x28, #48]
        ldr q8, [x28, #0]
        ldr q9, [x28, #16]
        ldr q10, [x28, #32]
        ldr q11, [x28, #48]
        ldr q12, [x28, #0]
        ldr q13, [x28, #16]
        ldr q14, [x28, #32]
        ldr q15, [x28, #48]
        ldr q16, [x28, #0]
        ldr q17, [x28, #16]
        ldr q18, [x28, #32]
        ldr q19, [x28, #48]
        ldr q20, [x28, #0]
        ldr q21, [x28, #16]
        ldr q22, [x28, #32]
        ldr q23, [x28, #48]
        ldr q24, [x28, #0]
        ldr q25, [x28, #16]
        ldr q26, [x28, #32]
        ldr q27, [x28, #48]
        ldr q28, [x28, #0]
        ldr q29, [x28, #16]
        ldr q30, [x28, #32]
        ldr q31, [x28, #48]
        winic_setup_end
        winic_function kernel_single, kernel
        .ascii ""
        .long 0x9c000000 | (((((77b - .) >> 2) + 0) & 0x7ffff) << 5)
        .ascii ""
        .long 0x9c000001 | (((((77b - .) >> 2) + 0) & 0x7ffff) << 5)
        .ascii ""
        .long 0x9c000002 | (((((77b - .) >> 2) + 0) & 0x7ffff) << 5)
        .ascii ""
        .long 0x9c000003 | (((((77b - .) >> 2) + 0) & 0x7ffff) << 5)
        .ascii ""
        .long 0x9c000004 | (((((77b - .) >> 2) + 0) & 0x7ffff) << 5)
        .ascii ""
        .long 0x9c000005 | (((((77b - .) >> 2) + 0) & 0x7ffff) << 5)
        .ascii ""
        .long 0x9c000006 | (((((77b - .) >> 2) + 0) & 0x7ffff) << 5)
        .ascii ""
        .long 0x9c000007 | (((((77b - .) >> 2) + 0) & 0x7ffff) << 5)
        .ascii ""
        .long 0x9c000008 | (((((77b - .) >> 2) + 0) & 0x7ffff) << 5)
        .ascii ""
        .long 0x9c000009 | (((((77b - .) >> 2) + 0) & 0x7ffff) << 5)
        .ascii ""
        .long 0x9c00000a | (((((77b - .) >> 2) + 0) & 0x7ffff) << 5)
        .ascii ""
        .long 0x9c00000b | (((((77b - .) >> 2) + 0) & 0x7ffff) << 5)
        .ascii ""
        .long 0x9c00000c | (((((77b - .) >> 2) + 0) & 0x7ffff) << 5)
        .ascii ""
        .long 0x9c00000d | (((((77b - .) >> 2) + 0) & 0x7ffff) << 5)
        .ascii ""
        .long 0x9c00000e | (((((77b - .) >> 2) + 0) & 0x7ffff) << 5)
        .ascii ""
        .long 0x9c00000f | (((((77b - .) >> 2) + 0) & 0x7ffff) << 5)
        .ascii ""
        .long 0x9c000010 | (((((77b - .) >> 2) + 0) & 0x7ffff) << 5)
        .ascii ""
        .long 0x9c000011 | (((((77b - .) >> 2) + 0) & 0x7ffff) << 5)
        winic_loop_count kernel_single
        winic_function_end
