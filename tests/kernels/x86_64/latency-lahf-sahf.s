# latency of LAHF:EFLAGS>AH then SAHF:AH>EFLAGS, Same, 0 fillers; 6 instances or passes
        winic_setup kernel
        movabs rax, 0x1c003c003d100305
        movabs rbp, 0x1c003c003d100305
        winic_setup_end
        winic_function kernel_single, kernel
        sahf
        mov rax, rbp
        lahf
        sahf
        mov rax, rbp
        lahf
        sahf
        mov rax, rbp
        lahf
        sahf
        mov rax, rbp
        lahf
        sahf
        mov rax, rbp
        lahf
        sahf
        mov rax, rbp
        lahf
        winic_loop_count kernel_single
        winic_function_end
