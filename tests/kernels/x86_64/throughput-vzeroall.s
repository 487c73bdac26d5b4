# throughput of VZEROALL; 18 instances or passes
        winic_setup kernel
        winic_setup_end
        winic_function kernel_single, kernel
        vzeroall
        vzeroall
        vzeroall
        vzeroall
        vzeroall
        vzeroall
        vzeroall
        vzeroall
        vzeroall
        vzeroall
        vzeroall
        vzeroall
        vzeroall
        vzeroall
        vzeroall
        vzeroall
        vzeroall
        vzeroall
        winic_loop_count kernel_single
        vzeroupper
        winic_function_end
