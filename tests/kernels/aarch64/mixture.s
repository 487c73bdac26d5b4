# a mixture of 1 FMLAv2f64, 2 FADDv2f64, 1 LDRXui; 6 instances or passes
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
        ldr x0, [x28, #64]
        adrp x30, winic_region + 0
        add x30, x30, :lo12:(winic_region + 0)
        winic_setup_end
        winic_function kernel_single, kernel
        fadd v29.2d, v31.2d, v30.2d
        ldr x0, [x30]
        fmla v0.2d, v31.2d, v30.2d
        fadd v29.2d, v31.2d, v30.2d
        fadd v29.2d, v31.2d, v30.2d
        ldr x0, [x30]
        fmla v1.2d, v31.2d, v30.2d
        fadd v29.2d, v31.2d, v30.2d
        fadd v29.2d, v31.2d, v30.2d
        ldr x0, [x30]
        fmla v2.2d, v31.2d, v30.2d
        fadd v29.2d, v31.2d, v30.2d
        fadd v29.2d, v31.2d, v30.2d
        ldr x0, [x30]
        fmla v3.2d, v31.2d, v30.2d
        fadd v29.2d, v31.2d, v30.2d
        fadd v29.2d, v31.2d, v30.2d
        ldr x0, [x30]
        fmla v4.2d, v31.2d, v30.2d
        fadd v29.2d, v31.2d, v30.2d
        fadd v29.2d, v31.2d, v30.2d
        ldr x0, [x30]
        fmla v5.2d, v31.2d, v30.2d
        fadd v29.2d, v31.2d, v30.2d
        winic_loop_count kernel_single
        winic_function_end
