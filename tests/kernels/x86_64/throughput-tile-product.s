# throughput of TDPBF16PS; 18 instances or passes
        winic_setup kernel
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
        winic_setup_end
        winic_function kernel_single, kernel
        tdpbf16ps tmm0, tmm7, tmm6
        tdpbf16ps tmm1, tmm7, tmm6
        tdpbf16ps tmm2, tmm7, tmm6
        tdpbf16ps tmm3, tmm7, tmm6
        tdpbf16ps tmm4, tmm7, tmm6
        tdpbf16ps tmm5, tmm7, tmm6
        tdpbf16ps tmm0, tmm7, tmm6
        tdpbf16ps tmm1, tmm7, tmm6
        tdpbf16ps tmm2, tmm7, tmm6
        tdpbf16ps tmm3, tmm7, tmm6
        tdpbf16ps tmm4, tmm7, tmm6
        tdpbf16ps tmm5, tmm7, tmm6
        tdpbf16ps tmm0, tmm7, tmm6
        tdpbf16ps tmm1, tmm7, tmm6
        tdpbf16ps tmm2, tmm7, tmm6
        tdpbf16ps tmm3, tmm7, tmm6
        tdpbf16ps tmm4, tmm7, tmm6
        tdpbf16ps tmm5, tmm7, tmm6
        winic_loop_count kernel_single
        tilerelease
        winic_function_end
