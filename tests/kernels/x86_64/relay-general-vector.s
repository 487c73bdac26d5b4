# relay of NOT64r:1>0 then MOV64toPQIrr:1>0 then PADDDrr:1>0; 4 instances or passes
        winic_setup kernel
        vzeroupper
        movups xmm0, xmmword ptr [rip + winic_data + 0]
        movups xmm15, xmmword ptr [rip + winic_data + 192]
        movabs rax, 0x1c003c003d100305
        winic_setup_end
        winic_function kernel_single, kernel
        lfence
        .rept 24
        .ascii "\220"
        .endr
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
        movq xmm0, rax
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        lfence
        .rept 24
        .ascii "\220"
        .endr
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
        movq xmm0, rax
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        lfence
        .rept 24
        .ascii "\220"
        .endr
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
        movq xmm0, rax
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        lfence
        .rept 24
        .ascii "\220"
        .endr
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
        movq xmm0, rax
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        paddd xmm0, xmm15
        winic_loop_count kernel_single
        winic_function_end
