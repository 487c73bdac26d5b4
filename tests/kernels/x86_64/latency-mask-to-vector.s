# latency of VADDPDZrrk:2>0 then VPMOVQ2MZkr:1>0, Rotating, 0 fillers; 8 instances or passes
        winic_setup kernel
        vmovups zmm0, zmmword ptr [rip + winic_data + 0]
        vmovups zmm2, zmmword ptr [rip + winic_data + 128]
        vmovups zmm4, zmmword ptr [rip + winic_data + 0]
        vmovups zmm6, zmmword ptr [rip + winic_data + 128]
        vmovups zmm14, zmmword ptr [rip + winic_data + 128]
        vmovups zmm15, zmmword ptr [rip + winic_data + 192]
        movabs rax, 0x6db6db6db6db5a5d
        kmovq k1, rax
        movabs rax, 0x6db6db6db6db5a5d
        kmovq k2, rax
        movabs rax, 0x6db6db6db6db5a5d
        kmovq k3, rax
        movabs rax, 0x6db6db6db6db5a5d
        kmovq k4, rax
        movabs rax, 0x6db6db6db6db5a5d
        kmovq k5, rax
        movabs rax, 0x6db6db6db6db5a5d
        kmovq k6, rax
        movabs rax, 0x6db6db6db6db5a5d
        kmovq k7, rax
        winic_setup_end
        winic_function kernel_single, kernel
        vaddpd zmm0 {k2}, zmm15, zmm14
        vpmovq2m k2, zmm0
        vaddpd zmm2 {k2}, zmm15, zmm14
        vpmovq2m k4, zmm2
        vaddpd zmm4 {k4}, zmm15, zmm14
        vpmovq2m k6, zmm4
        vaddpd zmm6 {k6}, zmm15, zmm14
        vpmovq2m k1, zmm6
        vaddpd zmm0 {k1}, zmm15, zmm14
        vpmovq2m k3, zmm0
        vaddpd zmm2 {k3}, zmm15, zmm14
        vpmovq2m k5, zmm2
        vaddpd zmm4 {k5}, zmm15, zmm14
        vpmovq2m k7, zmm4
        vaddpd zmm6 {k7}, zmm15, zmm14
        vpmovq2m k2, zmm6
        winic_loop_count kernel_single
        vzeroupper
        winic_function_end
