# throughput of ADD64mr@instruction-pointer; 18 instances or passes
        winic_setup kernel
        lea rdi, [rip + winic_region]
        mov ecx, 520
        movabs rax, 0x3db53db53db53db5
        rep stosq
        movabs rbp, 0x1c003c003d103c49
        winic_setup_end
        winic_function kernel_single, kernel
        .ascii "\110\001\055"
        .long winic_region + 0 - . - 4
        .ascii "\110\001\055"
        .long winic_region + 64 - . - 4
        .ascii "\110\001\055"
        .long winic_region + 128 - . - 4
        .ascii "\110\001\055"
        .long winic_region + 192 - . - 4
        .ascii "\110\001\055"
        .long winic_region + 256 - . - 4
        .ascii "\110\001\055"
        .long winic_region + 320 - . - 4
        .ascii "\110\001\055"
        .long winic_region + 384 - . - 4
        .ascii "\110\001\055"
        .long winic_region + 448 - . - 4
        .ascii "\110\001\055"
        .long winic_region + 512 - . - 4
        .ascii "\110\001\055"
        .long winic_region + 576 - . - 4
        .ascii "\110\001\055"
        .long winic_region + 640 - . - 4
        .ascii "\110\001\055"
        .long winic_region + 704 - . - 4
        .ascii "\110\001\055"
        .long winic_region + 768 - . - 4
        .ascii "\110\001\055"
        .long winic_region + 832 - . - 4
        .ascii "\110\001\055"
        .long winic_region + 896 - . - 4
        .ascii "\110\001\055"
        .long winic_region + 0 - . - 4
        .ascii "\110\001\055"
        .long winic_region + 64 - . - 4
        .ascii "\110\001\055"
        .long winic_region + 128 - . - 4
        winic_loop_count kernel_single
        winic_function_end
