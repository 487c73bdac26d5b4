# latency of BTS16rr:2>EFLAGS then ADC16ri:EFLAGS>0, Rotating, 0 fillers; 8 instances or passes
        winic_setup kernel
        movabs rbx, 0x1c003c003d103c59
        movabs rcx, 0x1c003c003d103c05
        movabs rsi, 0x1c003c003d103c5d
        movabs r8, 0x1c003c003d103c55
        movabs r11, 0x1c003c003d103c69
        movabs r12, 0x1c003c003d103c6b
        movabs r13, 0x1c003c003d103c6d
        movabs r14, 0x1c003c003d103c6f
        winic_setup_end
        winic_function kernel_single, kernel
        bts r13w, r8w
        .byte 0x66, 0x81, 0xd1, 0x05, 0x00  # adc cx, 5
        bts r12w, cx
        .byte 0x66, 0x81, 0xd6, 0x05, 0x00  # adc si, 5
        bts r14w, si
        .byte 0x66, 0x81, 0xd3, 0x05, 0x00  # adc bx, 5
        bts r11w, bx
        .byte 0x66, 0x41, 0x81, 0xd0, 0x05, 0x00  # adc r8w, 5
        bts r13w, r8w
        .byte 0x66, 0x81, 0xd1, 0x05, 0x00  # adc cx, 5
        bts r12w, cx
        .byte 0x66, 0x81, 0xd6, 0x05, 0x00  # adc si, 5
        bts r14w, si
        .byte 0x66, 0x81, 0xd3, 0x05, 0x00  # adc bx, 5
        bts r11w, bx
        .byte 0x66, 0x41, 0x81, 0xd0, 0x05, 0x00  # adc r8w, 5
        winic_loop_count kernel_single
        winic_function_end
