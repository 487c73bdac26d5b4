# latency of PTESTrr:0>EFLAGS then SETCCr:EFLAGS>0 then MOVDI2PDIrr:1>0, Rotating, 0 fillers; 6 instances or passes
        winic_setup kernel
        vzeroupper
        movups xmm0, xmmword ptr [rip + winic_data + 0]
        movups xmm1, xmmword ptr [rip + winic_data + 64]
        movups xmm2, xmmword ptr [rip + winic_data + 128]
        movups xmm3, xmmword ptr [rip + winic_data + 192]
        movups xmm4, xmmword ptr [rip + winic_data + 0]
        movups xmm5, xmmword ptr [rip + winic_data + 64]
        movups xmm15, xmmword ptr [rip + winic_data + 192]
        movabs rax, 0x1c003c003d100305
        movabs rbx, 0x1c003c003d103c59
        movabs rcx, 0x1c003c003d103c05
        movabs rdi, 0x1c003c003d103c7f
        movabs rdx, 0x5
        movabs rsi, 0x1c003c003d103c5d
        winic_setup_end
        winic_function kernel_single, kernel
        ptest xmm5, xmm15
        sete al
        movd xmm0, eax
        ptest xmm0, xmm15
        sete cl
        movd xmm1, ecx
        ptest xmm1, xmm15
        sete dl
        movd xmm2, edx
        ptest xmm2, xmm15
        sete bl
        movd xmm3, ebx
        ptest xmm3, xmm15
        sete sil
        movd xmm4, esi
        ptest xmm4, xmm15
        sete dil
        movd xmm5, edi
        winic_loop_count kernel_single
        winic_function_end
