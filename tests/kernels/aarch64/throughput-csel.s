# throughput of CSELXr; 18 instances or passes
        winic_setup kernel
        msr nzcv, xzr
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
        csel x0, x30, x29, eq
        csel x1, x30, x29, eq
        csel x2, x30, x29, eq
        csel x3, x30, x29, eq
        csel x4, x30, x29, eq
        csel x5, x30, x29, eq
        csel x6, x30, x29, eq
        csel x7, x30, x29, eq
        csel x8, x30, x29, eq
        csel x9, x30, x29, eq
        csel x10, x30, x29, eq
        csel x11, x30, x29, eq
        csel x12, x30, x29, eq
        csel x13, x30, x29, eq
        csel x14, x30, x29, eq
        csel x15, x30, x29, eq
        csel x16, x30, x29, eq
        csel x17, x30, x29, eq
        winic_loop_count kernel_single
        winic_function_end
