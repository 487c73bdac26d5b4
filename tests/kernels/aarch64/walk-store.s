# a walk of 1 pointers through 4096 bytes; 64 instances or passes
        winic_setup kernel
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
        adrp x30, winic_buffer_cell
        add x30, x30, :lo12:winic_buffer_cell
        ldr x27, [x30]
        ldr x29, [x30, #8]
        movz x30, #0x0
        add x30, x30, x27
        add x30, x30, x29
        movz x29, #0x1000
        add x29, x29, x27
        movz x27, #0x1000
        winic_setup_end
        winic_function kernel_single, kernel
        str x0, [x30]
        str x1, [x30, #8]
        str x2, [x30, #16]
        str x3, [x30, #24]
        str x4, [x30, #32]
        str x5, [x30, #40]
        str x6, [x30, #48]
        str x7, [x30, #56]
        str x8, [x30, #64]
        str x9, [x30, #72]
        str x10, [x30, #80]
        str x11, [x30, #88]
        str x12, [x30, #96]
        str x13, [x30, #104]
        str x14, [x30, #112]
        str x15, [x30, #120]
        str x16, [x30, #128]
        str x17, [x30, #136]
        str x19, [x30, #144]
        str x20, [x30, #152]
        str x21, [x30, #160]
        str x22, [x30, #168]
        str x23, [x30, #176]
        str x24, [x30, #184]
        str x25, [x30, #192]
        str x26, [x30, #200]
        str x0, [x30, #208]
        str x1, [x30, #216]
        str x2, [x30, #224]
        str x3, [x30, #232]
        str x4, [x30, #240]
        str x5, [x30, #248]
        str x6, [x30, #256]
        str x7, [x30, #264]
        str x8, [x30, #272]
        str x9, [x30, #280]
        str x10, [x30, #288]
        str x11, [x30, #296]
        str x12, [x30, #304]
        str x13, [x30, #312]
        str x14, [x30, #320]
        str x15, [x30, #328]
        str x16, [x30, #336]
        str x17, [x30, #344]
        str x19, [x30, #352]
        str x20, [x30, #360]
        str x21, [x30, #368]
        str x22, [x30, #376]
        str x23, [x30, #384]
        str x24, [x30, #392]
        str x25, [x30, #400]
        str x26, [x30, #408]
        str x0, [x30, #416]
        str x1, [x30, #424]
        str x2, [x30, #432]
        str x3, [x30, #440]
        str x4, [x30, #448]
        str x5, [x30, #456]
        str x6, [x30, #464]
        str x7, [x30, #472]
        str x8, [x30, #480]
        str x9, [x30, #488]
        str x10, [x30, #496]
        str x11, [x30, #504]
        add x30, x30, #512
        cmp x30, x29
        b.lo 8f
        sub x30, x30, x27
        8:
        winic_loop_count kernel_single
        adrp x27, winic_buffer_cell
        add x27, x27, :lo12:winic_buffer_cell
        ldr x29, [x27]
        sub x30, x30, x29
        movz x29, #0x0
        sub x30, x30, x29
        str x30, [x27, #8]
        winic_function_end
