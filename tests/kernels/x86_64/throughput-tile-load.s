# throughput of TILELOADD; 18 instances or passes
        winic_setup kernel
        lea rdi, [rip + winic_region]
        mov ecx, 520
        movabs rax, 0x3db53db53db53db5
        rep stosq
        ldtilecfg [rip + winic_tiles]
        xor ecx, ecx
        lea rax, [rip + winic_data + 0]
        tileloadd tmm0, [rax + rcx]
        xor ecx, ecx
        lea rax, [rip + winic_data + 64]
        tileloadd tmm1, [rax + rcx]
        xor ecx, ecx
        lea rax, [rip + winic_data + 128]
        tileloadd tmm2, [rax + rcx]
        xor ecx, ecx
        lea rax, [rip + winic_data + 192]
        tileloadd tmm3, [rax + rcx]
        xor ecx, ecx
        lea rax, [rip + winic_data + 0]
        tileloadd tmm4, [rax + rcx]
        xor ecx, ecx
        lea rax, [rip + winic_data + 64]
        tileloadd tmm5, [rax + rcx]
        xor ecx, ecx
        lea rax, [rip + winic_data + 128]
        tileloadd tmm6, [rax + rcx]
        xor ecx, ecx
        lea rax, [rip + winic_data + 192]
        tileloadd tmm7, [rax + rcx]
        lea r14, [rip + winic_region + 0]
        winic_setup_end
        winic_function kernel_single, kernel
        tileloadd tmm0, [r14]
        tileloadd tmm1, [r14]
        tileloadd tmm2, [r14]
        tileloadd tmm3, [r14]
        tileloadd tmm4, [r14]
        tileloadd tmm5, [r14]
        tileloadd tmm6, [r14]
        tileloadd tmm7, [r14]
        tileloadd tmm0, [r14]
        tileloadd tmm1, [r14]
        tileloadd tmm2, [r14]
        tileloadd tmm3, [r14]
        tileloadd tmm4, [r14]
        tileloadd tmm5, [r14]
        tileloadd tmm6, [r14]
        tileloadd tmm7, [r14]
        tileloadd tmm0, [r14]
        tileloadd tmm1, [r14]
        winic_loop_count kernel_single
        tilerelease
        winic_function_end
