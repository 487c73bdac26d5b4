# throughput of VADDPDZrrk; 18 instances or passes
        winic_setup kernel
        vmovups zmm0, zmmword ptr [rip + winic_data + 0]
        vmovups zmm1, zmmword ptr [rip + winic_data + 64]
        vmovups zmm2, zmmword ptr [rip + winic_data + 128]
        vmovups zmm3, zmmword ptr [rip + winic_data + 192]
        vmovups zmm4, zmmword ptr [rip + winic_data + 0]
        vmovups zmm5, zmmword ptr [rip + winic_data + 64]
        vmovups zmm6, zmmword ptr [rip + winic_data + 128]
        vmovups zmm7, zmmword ptr [rip + winic_data + 192]
        vmovups zmm8, zmmword ptr [rip + winic_data + 0]
        vmovups zmm9, zmmword ptr [rip + winic_data + 64]
        vmovups zmm10, zmmword ptr [rip + winic_data + 128]
        vmovups zmm11, zmmword ptr [rip + winic_data + 192]
        vmovups zmm12, zmmword ptr [rip + winic_data + 0]
        vmovups zmm13, zmmword ptr [rip + winic_data + 64]
        vmovups zmm14, zmmword ptr [rip + winic_data + 128]
        vmovups zmm15, zmmword ptr [rip + winic_data + 192]
        movabs rax, 0x6db6db6db6db5a5d
        kmovq k7, rax
        winic_setup_end
        winic_function kernel_single, kernel
        vaddpd zmm0 {k7}, zmm15, zmm14
        vaddpd zmm1 {k7}, zmm15, zmm14
        vaddpd zmm2 {k7}, zmm15, zmm14
        vaddpd zmm3 {k7}, zmm15, zmm14
        vaddpd zmm4 {k7}, zmm15, zmm14
        vaddpd zmm5 {k7}, zmm15, zmm14
        vaddpd zmm6 {k7}, zmm15, zmm14
        vaddpd zmm7 {k7}, zmm15, zmm14
        vaddpd zmm8 {k7}, zmm15, zmm14
        vaddpd zmm9 {k7}, zmm15, zmm14
        vaddpd zmm10 {k7}, zmm15, zmm14
        vaddpd zmm11 {k7}, zmm15, zmm14
        vaddpd zmm12 {k7}, zmm15, zmm14
        vaddpd zmm13 {k7}, zmm15, zmm14
        vaddpd zmm0 {k7}, zmm15, zmm14
        vaddpd zmm1 {k7}, zmm15, zmm14
        vaddpd zmm2 {k7}, zmm15, zmm14
        vaddpd zmm3 {k7}, zmm15, zmm14
        winic_loop_count kernel_single
        vzeroupper
        winic_function_end
