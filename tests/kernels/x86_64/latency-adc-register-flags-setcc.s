# latency of ADC64rr:2>EFLAGS then SETCCr:EFLAGS>0, Rotating, 0 fillers; 8 instances or passes
        winic_setup kernel
        movabs rbp, 0x1c003c003d103c49
        movabs rbx, 0x1c003c003d103c59
        movabs rcx, 0x1c003c003d103c05
        movabs rdi, 0x1c003c003d103c7f
        movabs r8, 0x1c003c003d103c55
        movabs r10, 0x1c003c003d103c67
        movabs r11, 0x1c003c003d103c69
        movabs r12, 0x1c003c003d103c6b
        movabs r13, 0x1c003c003d103c6d
        movabs r14, 0x1c003c003d103c6f
        winic_setup_end
        winic_function kernel_single, kernel
        test r11, r10
        adc rbp, r8
        sete cl
        test r11, r10
        adc r13, rcx
        sete bl
        test r11, r10
        adc r12, rbx
        sete dil
        test r11, r10
        adc r14, rdi
        sete r8b
        test r11, r10
        adc rbp, r8
        sete cl
        test r11, r10
        adc r13, rcx
        sete bl
        test r11, r10
        adc r12, rbx
        sete dil
        test r11, r10
        adc r14, rdi
        sete r8b
        winic_loop_count kernel_single
        winic_function_end
