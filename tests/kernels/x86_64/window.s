# two chains of VDIVSDrr_Int with 8 fillers between them; 4 instances or passes
        winic_setup kernel
        vmovups ymm0, ymmword ptr [rip + winic_data + 0]
        vmovups ymm1, ymmword ptr [rip + winic_data + 64]
        vmovups ymm15, ymmword ptr [rip + winic_data + 192]
        winic_setup_end
        winic_function kernel_single, kernel
        vdivsd xmm0, xmm15, xmm0
        vdivsd xmm0, xmm15, xmm0
        vdivsd xmm0, xmm15, xmm0
        vdivsd xmm0, xmm15, xmm0
        .rept 8
        .ascii "\220"
        .endr
        vdivsd xmm1, xmm15, xmm1
        vdivsd xmm1, xmm15, xmm1
        vdivsd xmm1, xmm15, xmm1
        vdivsd xmm1, xmm15, xmm1
        .rept 8
        .ascii "\220"
        .endr
        winic_loop_count kernel_single
        vzeroupper
        winic_function_end
