# throughput of VADDPDZ256rrkz; 18 instances or passes
        winic_setup kernel
        vmovups ymm0, ymmword ptr [rip + winic_data + 0]
        vmovups ymm1, ymmword ptr [rip + winic_data + 64]
        vmovups ymm2, ymmword ptr [rip + winic_data + 128]
        vmovups ymm3, ymmword ptr [rip + winic_data + 192]
        vmovups ymm4, ymmword ptr [rip + winic_data + 0]
        vmovups ymm5, ymmword ptr [rip + winic_data + 64]
        vmovups ymm6, ymmword ptr [rip + winic_data + 128]
        vmovups ymm7, ymmword ptr [rip + winic_data + 192]
        vmovups ymm8, ymmword ptr [rip + winic_data + 0]
        vmovups ymm9, ymmword ptr [rip + winic_data + 64]
        vmovups ymm10, ymmword ptr [rip + winic_data + 128]
        vmovups ymm11, ymmword ptr [rip + winic_data + 192]
        vmovups ymm12, ymmword ptr [rip + winic_data + 0]
        vmovups ymm13, ymmword ptr [rip + winic_data + 64]
        vmovups ymm14, ymmword ptr [rip + winic_data + 128]
        vmovups ymm15, ymmword ptr [rip + winic_data + 192]
        movabs rax, 0x6db6db6db6db5a5d
        kmovq k7, rax
        winic_setup_end
        winic_function kernel_single, kernel
        vaddpd ymm0 {k7} {z}, ymm15, ymm14
        vaddpd ymm1 {k7} {z}, ymm15, ymm14
        vaddpd ymm2 {k7} {z}, ymm15, ymm14
        vaddpd ymm3 {k7} {z}, ymm15, ymm14
        vaddpd ymm4 {k7} {z}, ymm15, ymm14
        vaddpd ymm5 {k7} {z}, ymm15, ymm14
        vaddpd ymm6 {k7} {z}, ymm15, ymm14
        vaddpd ymm7 {k7} {z}, ymm15, ymm14
        vaddpd ymm8 {k7} {z}, ymm15, ymm14
        vaddpd ymm9 {k7} {z}, ymm15, ymm14
        vaddpd ymm10 {k7} {z}, ymm15, ymm14
        vaddpd ymm11 {k7} {z}, ymm15, ymm14
        vaddpd ymm12 {k7} {z}, ymm15, ymm14
        vaddpd ymm13 {k7} {z}, ymm15, ymm14
        vaddpd ymm0 {k7} {z}, ymm15, ymm14
        vaddpd ymm1 {k7} {z}, ymm15, ymm14
        vaddpd ymm2 {k7} {z}, ymm15, ymm14
        vaddpd ymm3 {k7} {z}, ymm15, ymm14
        winic_loop_count kernel_single
        vzeroupper
        winic_function_end
