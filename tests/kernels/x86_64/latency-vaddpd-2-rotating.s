# latency of VADDPDrr:2>0, Rotating, 0 fillers; 12 instances or passes
        winic_setup kernel
        vmovups ymm0, ymmword ptr [rip + winic_data + 0]
        vmovups ymm1, ymmword ptr [rip + winic_data + 64]
        vmovups ymm2, ymmword ptr [rip + winic_data + 128]
        vmovups ymm3, ymmword ptr [rip + winic_data + 192]
        vmovups ymm4, ymmword ptr [rip + winic_data + 0]
        vmovups ymm5, ymmword ptr [rip + winic_data + 64]
        vmovups ymm6, ymmword ptr [rip + winic_data + 128]
        vmovups ymm7, ymmword ptr [rip + winic_data + 192]
        vmovups ymm15, ymmword ptr [rip + winic_data + 192]
        winic_setup_end
        winic_function kernel_single, kernel
        vaddpd xmm0, xmm15, xmm3
        vaddpd xmm1, xmm15, xmm0
        vaddpd xmm2, xmm15, xmm1
        vaddpd xmm3, xmm15, xmm2
        vaddpd xmm4, xmm15, xmm3
        vaddpd xmm5, xmm15, xmm4
        vaddpd xmm6, xmm15, xmm5
        vaddpd xmm7, xmm15, xmm6
        vaddpd xmm0, xmm15, xmm7
        vaddpd xmm1, xmm15, xmm0
        vaddpd xmm2, xmm15, xmm1
        vaddpd xmm3, xmm15, xmm2
        winic_loop_count kernel_single
        vzeroupper
        winic_function_end
