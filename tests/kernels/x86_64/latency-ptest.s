# latency of PTESTrr:0>EFLAGS then SETCCr:EFLAGS>0 then MOVDI2PDIrr:1>0, Rotating, 0 fillers; 4 instances or passes
        winic_setup kernel
        vzeroupper
        movups xmm0, xmmword ptr [rip + winic_data + 0]
        movups xmm2, xmmword ptr [rip + winic_data + 128]
        movups xmm3, xmmword ptr [rip + winic_data + 192]
        movups xmm5, xmmword ptr [rip + winic_data + 64]
        movups xmm15, xmmword ptr [rip + winic_data + 192]
        movabs rcx, 0x1c003c003d103c05
        movabs rdx, 0x5
        movabs rsi, 0x1c003c003d103c5d
        movabs r8, 0x1c003c003d103c55
        winic_setup_end
        winic_function kernel_single, kernel
        ptest xmm3, xmm15
        sete cl
        movd xmm2, ecx
        ptest xmm2, xmm15
        sete sil
        movd xmm5, esi
        ptest xmm5, xmm15
        sete r8b
        movd xmm0, r8d
        ptest xmm0, xmm15
        sete dl
        movd xmm3, edx
        winic_loop_count kernel_single
        winic_function_end
