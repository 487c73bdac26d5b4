# latency of VADDPDrr:2>0, Same, 7 fillers; 12 instances or passes
        winic_setup kernel
        vmovups ymm0, ymmword ptr [rip + winic_data + 0]
        vmovups ymm15, ymmword ptr [rip + winic_data + 192]
        winic_setup_end
        winic_function kernel_single, kernel
        vaddpd xmm0, xmm15, xmm0
        .rept 7
        .ascii "\220"
        .endr
        vaddpd xmm0, xmm15, xmm0
        .rept 7
        .ascii "\220"
        .endr
        vaddpd xmm0, xmm15, xmm0
        .rept 7
        .ascii "\220"
        .endr
        vaddpd xmm0, xmm15, xmm0
        .rept 7
        .ascii "\220"
        .endr
        vaddpd xmm0, xmm15, xmm0
        .rept 7
        .ascii "\220"
        .endr
        vaddpd xmm0, xmm15, xmm0
        .rept 7
        .ascii "\220"
        .endr
        vaddpd xmm0, xmm15, xmm0
        .rept 7
        .ascii "\220"
        .endr
        vaddpd xmm0, xmm15, xmm0
        .rept 7
        .ascii "\220"
        .endr
        vaddpd xmm0, xmm15, xmm0
        .rept 7
        .ascii "\220"
        .endr
        vaddpd xmm0, xmm15, xmm0
        .rept 7
        .ascii "\220"
        .endr
        vaddpd xmm0, xmm15, xmm0
        .rept 7
        .ascii "\220"
        .endr
        vaddpd xmm0, xmm15, xmm0
        .rept 7
        .ascii "\220"
        .endr
        winic_loop_count kernel_single
        vzeroupper
        winic_function_end
