# throughput of CVTSI2SDrr_Int; 18 instances or passes
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
        movabs r13, 0x1c003c003d103c6d
        winic_setup_end
        winic_function kernel_single, kernel
        cvtsi2sd xmm0, r13d
        cvtsi2sd xmm1, r13d
        cvtsi2sd xmm2, r13d
        cvtsi2sd xmm3, r13d
        cvtsi2sd xmm4, r13d
        cvtsi2sd xmm5, r13d
        cvtsi2sd xmm6, r13d
        cvtsi2sd xmm7, r13d
        cvtsi2sd xmm8, r13d
        cvtsi2sd xmm9, r13d
        cvtsi2sd xmm10, r13d
        cvtsi2sd xmm11, r13d
        cvtsi2sd xmm12, r13d
        cvtsi2sd xmm13, r13d
        cvtsi2sd xmm14, r13d
        cvtsi2sd xmm15, r13d
        cvtsi2sd xmm0, r13d
        cvtsi2sd xmm1, r13d
        winic_loop_count kernel_single
        winic_function_end
