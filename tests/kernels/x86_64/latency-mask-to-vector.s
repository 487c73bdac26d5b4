# latency of VADDPDZrrk:2>0 then VPMOVQ2MZkr:1>0, Rotating, 0 fillers; 6 instances or passes
        winic_setup kernel
        vmovups zmm0, zmmword ptr [rip + winic_data + 0]
        vmovups zmm1, zmmword ptr [rip + winic_data + 64]
        vmovups zmm2, zmmword ptr [rip + winic_data + 128]
        vmovups zmm3, zmmword ptr [rip + winic_data + 192]
        vmovups zmm4, zmmword ptr [rip + winic_data + 0]
        vmovups zmm5, zmmword ptr [rip + winic_data + 64]
        vmovups zmm14, zmmword ptr [rip + winic_data + 128]
        vmovups zmm15, zmmword ptr [rip + winic_data + 192]
        movabs rax, 0x6db6db6db6db5a5d
        kmovq k1, rax
        movabs rax, 0x6db6db6db6db5a5d
        kmovq k2, rax
        movabs rax, 0x6db6db6db6db5a5d
        kmovq k3, rax
        winic_setup_end
        winic_function kernel_single, kernel
        vaddpd zmm0 {k3}, zmm15, zmm14
        vpmovq2m k1, zmm0
        vaddpd zmm1 {k1}, zmm15, zmm14
        vpmovq2m k2, zmm1
        vaddpd zmm2 {k2}, zmm15, zmm14
        vpmovq2m k3, zmm2
        vaddpd zmm3 {k3}, zmm15, zmm14
        vpmovq2m k1, zmm3
        vaddpd zmm4 {k1}, zmm15, zmm14
        vpmovq2m k2, zmm4
        vaddpd zmm5 {k2}, zmm15, zmm14
        vpmovq2m k3, zmm5
        winic_loop_count kernel_single
        vzeroupper
        winic_function_end
