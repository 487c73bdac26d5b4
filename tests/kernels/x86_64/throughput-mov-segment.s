# throughput of MOV64sr; 18 instances or passes
        winic_setup kernel
        movabs rbp, 0x0
        winic_setup_end
        winic_function kernel_single, kernel
        mov ds, rbp
        mov es, rbp
        mov gs, rbp
        mov ds, rbp
        mov es, rbp
        mov gs, rbp
        mov ds, rbp
        mov es, rbp
        mov gs, rbp
        mov ds, rbp
        mov es, rbp
        mov gs, rbp
        mov ds, rbp
        mov es, rbp
        mov gs, rbp
        mov ds, rbp
        mov es, rbp
        mov gs, rbp
        winic_loop_count kernel_single
        winic_function_end
