# latency of ADC64rr:2>EFLAGS then SETCCr:EFLAGS>0, Rotating, 0 fillers; 6 instances or passes
        winic_setup kernel
        movabs rax, 0x1c003c003d100305
        movabs rbp, 0x1c003c003d103c49
        movabs rbx, 0x1c003c003d103c59
        movabs rcx, 0x1c003c003d103c05
        movabs rdi, 0x1c003c003d103c7f
        movabs rdx, 0x5
        movabs rsi, 0x1c003c003d103c5d
        movabs r11, 0x1c003c003d103c69
        movabs r12, 0x1c003c003d103c6b
        movabs r13, 0x1c003c003d103c6d
        movabs r14, 0x1c003c003d103c6f
        winic_setup_end
        winic_function kernel_single, kernel
        test r14, r11
        adc rbp, rdi
        sete al
        test r14, r11
        adc r13, rax
        sete cl
        test r14, r11
        adc r12, rcx
        sete dl
        test r14, r11
        adc rbp, rdx
        sete bl
        test r14, r11
        adc r13, rbx
        sete sil
        test r14, r11
        adc r12, rsi
        sete dil
        winic_loop_count kernel_single
        winic_function_end
