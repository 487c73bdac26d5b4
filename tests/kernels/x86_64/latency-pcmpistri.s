# latency of PCMPISTRIrri:1>ECX then MOVDI2PDIrr:1>0, Rotating, 0 fillers; 8 instances or passes
        winic_setup kernel
        vzeroupper
        movups xmm1, xmmword ptr [rip + winic_data + 64]
        movups xmm3, xmmword ptr [rip + winic_data + 192]
        movups xmm5, xmmword ptr [rip + winic_data + 64]
        movups xmm7, xmmword ptr [rip + winic_data + 192]
        movups xmm15, xmmword ptr [rip + winic_data + 192]
        movabs rcx, 0x1c003c003d103c05
        winic_setup_end
        winic_function kernel_single, kernel
        pcmpistri xmm15, xmm7, 5
        movd xmm1, ecx
        pcmpistri xmm15, xmm1, 5
        movd xmm3, ecx
        pcmpistri xmm15, xmm3, 5
        movd xmm5, ecx
        pcmpistri xmm15, xmm5, 5
        movd xmm7, ecx
        pcmpistri xmm15, xmm7, 5
        movd xmm1, ecx
        pcmpistri xmm15, xmm1, 5
        movd xmm3, ecx
        pcmpistri xmm15, xmm3, 5
        movd xmm5, ecx
        pcmpistri xmm15, xmm5, 5
        movd xmm7, ecx
        winic_loop_count kernel_single
        winic_function_end
