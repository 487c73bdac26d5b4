# latency of BLENDVPDrr0:XMM0>0 then MOVAPSrr:1>0, Rotating, 0 fillers; 6 instances or passes
        winic_setup kernel
        vzeroupper
        movups xmm0, xmmword ptr [rip + winic_data + 0]
        movups xmm1, xmmword ptr [rip + winic_data + 64]
        movups xmm2, xmmword ptr [rip + winic_data + 128]
        movups xmm3, xmmword ptr [rip + winic_data + 192]
        movups xmm4, xmmword ptr [rip + winic_data + 0]
        movups xmm5, xmmword ptr [rip + winic_data + 64]
        movups xmm7, xmmword ptr [rip + winic_data + 192]
        movups xmm15, xmmword ptr [rip + winic_data + 192]
        winic_setup_end
        winic_function kernel_single, kernel
        blendvpd xmm1, xmm15, xmm0
        movaps xmm0, xmm1
        blendvpd xmm3, xmm15, xmm0
        movaps xmm0, xmm3
        blendvpd xmm5, xmm15, xmm0
        movaps xmm0, xmm5
        blendvpd xmm7, xmm15, xmm0
        movaps xmm0, xmm7
        blendvpd xmm2, xmm15, xmm0
        movaps xmm0, xmm2
        blendvpd xmm4, xmm15, xmm0
        movaps xmm0, xmm4
        winic_loop_count kernel_single
        winic_function_end
