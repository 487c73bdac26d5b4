# throughput of VADDPDZrrb; 18 instances or passes
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
        winic_setup_end
        winic_function kernel_single, kernel
        vaddpd zmm0, zmm15, zmm14, {rn-sae}
        vaddpd zmm1, zmm15, zmm14, {rn-sae}
        vaddpd zmm2, zmm15, zmm14, {rn-sae}
        vaddpd zmm3, zmm15, zmm14, {rn-sae}
        vaddpd zmm4, zmm15, zmm14, {rn-sae}
        vaddpd zmm5, zmm15, zmm14, {rn-sae}
        vaddpd zmm6, zmm15, zmm14, {rn-sae}
        vaddpd zmm7, zmm15, zmm14, {rn-sae}
        vaddpd zmm8, zmm15, zmm14, {rn-sae}
        vaddpd zmm9, zmm15, zmm14, {rn-sae}
        vaddpd zmm10, zmm15, zmm14, {rn-sae}
        vaddpd zmm11, zmm15, zmm14, {rn-sae}
        vaddpd zmm12, zmm15, zmm14, {rn-sae}
        vaddpd zmm13, zmm15, zmm14, {rn-sae}
        vaddpd zmm0, zmm15, zmm14, {rn-sae}
        vaddpd zmm1, zmm15, zmm14, {rn-sae}
        vaddpd zmm2, zmm15, zmm14, {rn-sae}
        vaddpd zmm3, zmm15, zmm14, {rn-sae}
        winic_loop_count kernel_single
        vzeroupper
        winic_function_end
