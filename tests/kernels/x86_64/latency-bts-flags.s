# latency of BTS16rr:2>EFLAGS then ADC16ri:EFLAGS>0, Rotating, 0 fillers; 6 instances or passes
        winic_setup kernel
        movabs rax, 0x1c003c003d100305
        movabs rbx, 0x1c003c003d103c59
        movabs rcx, 0x1c003c003d103c05
        movabs rdi, 0x1c003c003d103c7f
        movabs rdx, 0x5
        movabs rsi, 0x1c003c003d103c5d
        movabs r12, 0x1c003c003d103c6b
        movabs r13, 0x1c003c003d103c6d
        movabs r14, 0x1c003c003d103c6f
        winic_setup_end
        winic_function kernel_single, kernel
        bts r13w, bx
        .byte 0x66, 0x81, 0xd0, 0x05, 0x00  /* adc ax, 5 */
        bts r12w, ax
        .byte 0x66, 0x81, 0xd1, 0x05, 0x00  /* adc cx, 5 */
        bts r14w, cx
        .byte 0x66, 0x81, 0xd2, 0x05, 0x00  /* adc dx, 5 */
        bts r13w, dx
        .byte 0x66, 0x81, 0xd6, 0x05, 0x00  /* adc si, 5 */
        bts r12w, si
        .byte 0x66, 0x81, 0xd7, 0x05, 0x00  /* adc di, 5 */
        bts r14w, di
        .byte 0x66, 0x81, 0xd3, 0x05, 0x00  /* adc bx, 5 */
        winic_loop_count kernel_single
        winic_function_end
