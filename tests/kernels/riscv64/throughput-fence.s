# throughput of FENCE; 18 instances or passes
        winic_setup kernel
        winic_setup_end
        winic_function kernel_single, kernel
        fence rw, rw
        fence rw, rw
        fence rw, rw
        fence rw, rw
        fence rw, rw
        fence rw, rw
        fence rw, rw
        fence rw, rw
        fence rw, rw
        fence rw, rw
        fence rw, rw
        fence rw, rw
        fence rw, rw
        fence rw, rw
        fence rw, rw
        fence rw, rw
        fence rw, rw
        fence rw, rw
        winic_loop_count kernel_single
        winic_function_end
