# throughput of VADDPDrr; 18 instances or passes
        winic_setup kernel
        vmovups ymm0, ymmword ptr [rip + winic_data + 0]
        vmovups ymm1, ymmword ptr [rip + winic_data + 64]
        vmovups ymm2, ymmword ptr [rip + winic_data + 128]
        vmovups ymm3, ymmword ptr [rip + winic_data + 192]
        vmovups ymm4, ymmword ptr [rip + winic_data + 0]
        vmovups ymm5, ymmword ptr [rip + winic_data + 64]
        vmovups ymm6, ymmword ptr [rip + winic_data + 128]
        vmovups ymm7, ymmword ptr [rip + winic_data + 192]
        vmovups ymm8, ymmword ptr [rip + winic_data + 0]
        vmovups ymm9, ymmword ptr [rip + winic_data + 64]
        vmovups ymm10, ymmword ptr [rip + winic_data + 128]
        vmovups ymm11, ymmword ptr [rip + winic_data + 192]
        vmovups ymm12, ymmword ptr [rip + winic_data + 0]
        vmovups ymm13, ymmword ptr [rip + winic_data + 64]
        vmovups ymm14, ymmword ptr [rip + winic_data + 128]
        vmovups ymm15, ymmword ptr [rip + winic_data + 192]
        winic_setup_end
        winic_function kernel_single, kernel
        vaddpd xmm0, xmm15, xmm14
        vaddpd xmm1, xmm15, xmm14
        vaddpd xmm2, xmm15, xmm14
        vaddpd xmm3, xmm15, xmm14
        vaddpd xmm4, xmm15, xmm14
        vaddpd xmm5, xmm15, xmm14
        vaddpd xmm6, xmm15, xmm14
        vaddpd xmm7, xmm15, xmm14
        vaddpd xmm8, xmm15, xmm14
        vaddpd xmm9, xmm15, xmm14
        vaddpd xmm10, xmm15, xmm14
        vaddpd xmm11, xmm15, xmm14
        vaddpd xmm12, xmm15, xmm14
        vaddpd xmm13, xmm15, xmm14
        vaddpd xmm0, xmm15, xmm14
        vaddpd xmm1, xmm15, xmm14
        vaddpd xmm2, xmm15, xmm14
        vaddpd xmm3, xmm15, xmm14
        winic_loop_count kernel_single
        vzeroupper
        winic_function_end
