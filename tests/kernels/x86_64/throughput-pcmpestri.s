# throughput of PCMPESTRIrri; 18 instances or passes
        winic_setup kernel
        vzeroupper
        movups xmm14, xmmword ptr [rip + winic_data + 128]
        movups xmm15, xmmword ptr [rip + winic_data + 192]
        movabs rax, 0x1c003c003d100305
        movabs rdx, 0x5
        winic_setup_end
        winic_function kernel_single, kernel
        pcmpestri xmm15, xmm14, 5
        pcmpestri xmm15, xmm14, 5
        pcmpestri xmm15, xmm14, 5
        pcmpestri xmm15, xmm14, 5
        pcmpestri xmm15, xmm14, 5
        pcmpestri xmm15, xmm14, 5
        pcmpestri xmm15, xmm14, 5
        pcmpestri xmm15, xmm14, 5
        pcmpestri xmm15, xmm14, 5
        pcmpestri xmm15, xmm14, 5
        pcmpestri xmm15, xmm14, 5
        pcmpestri xmm15, xmm14, 5
        pcmpestri xmm15, xmm14, 5
        pcmpestri xmm15, xmm14, 5
        pcmpestri xmm15, xmm14, 5
        pcmpestri xmm15, xmm14, 5
        pcmpestri xmm15, xmm14, 5
        pcmpestri xmm15, xmm14, 5
        winic_loop_count kernel_single
        winic_function_end
