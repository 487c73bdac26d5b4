# a mixture of 1 FMLAv2f64, 1 MOVKXi; 6 instances or passes
        winic_setup kernel
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
        ldr x11, [x28, #152]
        ldr x12, [x28, #160]
        ldr x13, [x28, #168]
        ldr x14, [x28, #176]
        ldr x15, [x28, #184]
        ldr x16, [x28, #192]
        ldr x17, [x28, #200]
        ldr x19, [x28, #216]
        ldr x20, [x28, #224]
        ldr x21, [x28, #232]
        ldr x22, [x28, #240]
        ldr x23, [x28, #248]
        ldr x24, [x28, #256]
        ldr x25, [x28, #264]
        ldr x26, [x28, #272]
        ldr x27, [x28, #280]
        ldr x29, [x28, #296]
        ldr x30, [x28, #304]
        winic_setup_end
        winic_function kernel_single, kernel
        orr x0, x30, x30
        movk x0, #5
        mov v0.16b, v31.16b
        fmla v0.2d, v31.2d, v30.2d
        orr x1, x30, x30
        movk x1, #5
        mov v1.16b, v31.16b
        fmla v1.2d, v31.2d, v30.2d
        orr x2, x30, x30
        movk x2, #5
        mov v2.16b, v31.16b
        fmla v2.2d, v31.2d, v30.2d
        orr x3, x30, x30
        movk x3, #5
        mov v3.16b, v31.16b
        fmla v3.2d, v31.2d, v30.2d
        orr x4, x30, x30
        movk x4, #5
        mov v4.16b, v31.16b
        fmla v4.2d, v31.2d, v30.2d
        orr x5, x30, x30
        movk x5, #5
        mov v5.16b, v31.16b
        fmla v5.2d, v31.2d, v30.2d
        winic_loop_count kernel_single
        winic_function_end
