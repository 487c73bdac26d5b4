# throughput of TPAUSE; 18 instances or passes
        winic_setup kernel
        movabs rax, 0x0
        movabs rdx, 0x0
        movabs r13, 0x1
        winic_setup_end
        winic_function kernel_single, kernel
        tpause r13d
        tpause r13d
        tpause r13d
        tpause r13d
        tpause r13d
        tpause r13d
        tpause r13d
        tpause r13d
        tpause r13d
        tpause r13d
        tpause r13d
        tpause r13d
        tpause r13d
        tpause r13d
        tpause r13d
        tpause r13d
        tpause r13d
        tpause r13d
        winic_loop_count kernel_single
        winic_function_end
