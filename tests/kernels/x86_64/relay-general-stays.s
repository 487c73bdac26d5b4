# relay of NOT64r:1>0 then NOT64r:1>0 then NOT64r:1>0; 4 instances or passes
        winic_setup kernel
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
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
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
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
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
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
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
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
        not rax
        winic_loop_count kernel_single
        winic_function_end
