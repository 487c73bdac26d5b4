# a mixture of 2 MULPSrr, 1 PSUBSBrr, 1 IMUL64rr; 12 instances or passes
        winic_setup kernel
        vzeroupper
        movups xmm0, xmmword ptr [rip + winic_data + 0]
        movups xmm1, xmmword ptr [rip + winic_data + 64]
        movups xmm2, xmmword ptr [rip + winic_data + 128]
        movups xmm3, xmmword ptr [rip + winic_data + 192]
        movups xmm4, xmmword ptr [rip + winic_data + 0]
        movups xmm5, xmmword ptr [rip + winic_data + 64]
        movups xmm6, xmmword ptr [rip + winic_data + 128]
        movups xmm7, xmmword ptr [rip + winic_data + 192]
        movups xmm8, xmmword ptr [rip + winic_data + 0]
        movups xmm9, xmmword ptr [rip + winic_data + 64]
        movups xmm10, xmmword ptr [rip + winic_data + 128]
        movups xmm11, xmmword ptr [rip + winic_data + 192]
        movups xmm12, xmmword ptr [rip + winic_data + 0]
        movups xmm13, xmmword ptr [rip + winic_data + 64]
        movups xmm14, xmmword ptr [rip + winic_data + 128]
        movups xmm15, xmmword ptr [rip + winic_data + 192]
        movabs rax, 0x1c003c003d100305
        movabs rbp, 0x1c003c003d103c49
        movabs rbx, 0x1c003c003d103c59
        movabs rcx, 0x1c003c003d103c05
        movabs rdi, 0x1c003c003d103c7f
        movabs rdx, 0x5
        movabs rsi, 0x1c003c003d103c5d
        movabs r8, 0x1c003c003d103c55
        movabs r9, 0x1c003c003d103c57
        movabs r10, 0x1c003c003d103c67
        movabs r11, 0x1c003c003d103c69
        movabs r12, 0x1c003c003d103c6b
        movabs r13, 0x1c003c003d103c6d
        movabs r14, 0x1c003c003d103c6f
        winic_setup_end
        winic_function kernel_single, kernel
        .ascii "\076"; movaps xmm0, xmm15
        .ascii "\076"; mulps xmm0, xmm15
        .ascii "\076"; movaps xmm1, xmm15
        .ascii "\076"; mulps xmm1, xmm15
        .ascii "\076"; movaps xmm12, xmm15
        psubsb xmm12, xmm15
        .ascii "\076\076"; mov rax, rbp
        .ascii "\076"; imul rax, rbp
        .ascii "\076"; movaps xmm2, xmm15
        .ascii "\076"; mulps xmm2, xmm15
        .ascii "\076"; movaps xmm3, xmm15
        .ascii "\076"; mulps xmm3, xmm15
        psubsb xmm13, xmm15
        .ascii "\076\076"; mov rcx, rbp
        .ascii "\076"; imul rcx, rbp
        .ascii "\076"; movaps xmm4, xmm15
        .ascii "\076"; mulps xmm4, xmm15
        .ascii "\076"; movaps xmm5, xmm15
        .ascii "\076"; mulps xmm5, xmm15
        .ascii "\076"; movaps xmm14, xmm15
        psubsb xmm14, xmm15
        .ascii "\076\076"; mov rdx, rbp
        .ascii "\076"; imul rdx, rbp
        .ascii "\076"; movaps xmm6, xmm15
        .ascii "\076"; mulps xmm6, xmm15
        .ascii "\076"; movaps xmm7, xmm15
        .ascii "\076"; mulps xmm7, xmm15
        psubsb xmm12, xmm15
        .ascii "\076\076"; mov rsi, rbp
        .ascii "\076"; imul rsi, rbp
        .ascii "\076"; movaps xmm8, xmm15
        .ascii "\076"; mulps xmm8, xmm15
        .ascii "\076"; movaps xmm9, xmm15
        .ascii "\076"; mulps xmm9, xmm15
        .ascii "\076"; movaps xmm13, xmm15
        psubsb xmm13, xmm15
        .ascii "\076\076"; mov rdi, rbp
        .ascii "\076"; imul rdi, rbp
        .ascii "\076"; movaps xmm10, xmm15
        .ascii "\076"; mulps xmm10, xmm15
        .ascii "\076"; movaps xmm11, xmm15
        .ascii "\076"; mulps xmm11, xmm15
        psubsb xmm14, xmm15
        .ascii "\076\076"; mov r8, rbp
        .ascii "\076"; imul r8, rbp
        winic_loop_count kernel_single
        winic_function_end
