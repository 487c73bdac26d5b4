# throughput of BLENDVPDrr0; 18 instances or passes
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
        winic_setup_end
        winic_function kernel_single, kernel
        blendvpd xmm1, xmm15, xmm0
        blendvpd xmm2, xmm15, xmm0
        blendvpd xmm3, xmm15, xmm0
        blendvpd xmm4, xmm15, xmm0
        blendvpd xmm5, xmm15, xmm0
        blendvpd xmm6, xmm15, xmm0
        blendvpd xmm7, xmm15, xmm0
        blendvpd xmm8, xmm15, xmm0
        blendvpd xmm9, xmm15, xmm0
        blendvpd xmm10, xmm15, xmm0
        blendvpd xmm11, xmm15, xmm0
        blendvpd xmm12, xmm15, xmm0
        blendvpd xmm13, xmm15, xmm0
        blendvpd xmm14, xmm15, xmm0
        blendvpd xmm1, xmm15, xmm0
        blendvpd xmm2, xmm15, xmm0
        blendvpd xmm3, xmm15, xmm0
        blendvpd xmm4, xmm15, xmm0
        winic_loop_count kernel_single
        winic_function_end
