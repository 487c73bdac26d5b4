# latency of PCMPISTRIrri:1>ECX then MOVDI2PDIrr:1>0, Rotating, 0 fillers; 6 instances or passes
        winic_setup kernel
        vzeroupper
        movups xmm0, xmmword ptr [rip + winic_data + 0]
        movups xmm1, xmmword ptr [rip + winic_data + 64]
        movups xmm2, xmmword ptr [rip + winic_data + 128]
        movups xmm3, xmmword ptr [rip + winic_data + 192]
        movups xmm4, xmmword ptr [rip + winic_data + 0]
        movups xmm5, xmmword ptr [rip + winic_data + 64]
        movups xmm15, xmmword ptr [rip + winic_data + 192]
        movabs rcx, 0x1c003c003d103c05
        winic_setup_end
        winic_function kernel_single, kernel
        pcmpistri xmm15, xmm5, 5
        movd xmm0, ecx
        pcmpistri xmm15, xmm0, 5
        movd xmm1, ecx
        pcmpistri xmm15, xmm1, 5
        movd xmm2, ecx
        pcmpistri xmm15, xmm2, 5
        movd xmm3, ecx
        pcmpistri xmm15, xmm3, 5
        movd xmm4, ecx
        pcmpistri xmm15, xmm4, 5
        movd xmm5, ecx
        winic_loop_count kernel_single
        winic_function_end
