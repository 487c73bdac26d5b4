# a mixture of 1 VPADDDZrrk, 2 VADDPSZrr, 1 MOV64mr; 6 instances or passes
        winic_setup kernel
        lea rdi, [rip + winic_region]
        mov ecx, 520
        movabs rax, 0x3db53db53db53db5
        rep stosq
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
        movabs rbp, 0x1c003c003d103c49
        lea r14, [rip + winic_region + 1024]
        winic_setup_end
        winic_function kernel_single, kernel
        vpaddd zmm0 {k7}, zmm15, zmm14
        vaddps zmm13, zmm15, zmm14
        vaddps zmm13, zmm15, zmm14
        .ascii "\076\076"; mov qword ptr [r14], rbp
        vpaddd zmm1 {k7}, zmm15, zmm14
        vaddps zmm13, zmm15, zmm14
        vaddps zmm13, zmm15, zmm14
        .ascii "\076"; mov qword ptr [r14 + 64], rbp
        vpaddd zmm2 {k7}, zmm15, zmm14
        vaddps zmm13, zmm15, zmm14
        vaddps zmm13, zmm15, zmm14
        mov qword ptr [r14 + 128], rbp
        vpaddd zmm3 {k7}, zmm15, zmm14
        vaddps zmm13, zmm15, zmm14
        vaddps zmm13, zmm15, zmm14
        mov qword ptr [r14 + 192], rbp
        vpaddd zmm4 {k7}, zmm15, zmm14
        vaddps zmm13, zmm15, zmm14
        vaddps zmm13, zmm15, zmm14
        mov qword ptr [r14 + 256], rbp
        vpaddd zmm5 {k7}, zmm15, zmm14
        vaddps zmm13, zmm15, zmm14
        vaddps zmm13, zmm15, zmm14
        mov qword ptr [r14 + 320], rbp
        winic_loop_count kernel_single
        vzeroupper
        winic_function_end
