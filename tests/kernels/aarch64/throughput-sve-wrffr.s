# throughput of WRFFR; 18 instances or passes
        winic_setup kernel
        ptrue p15.b
        winic_setup_end
        winic_function kernel_single, kernel
        wrffr p15.b
        wrffr p15.b
        wrffr p15.b
        wrffr p15.b
        wrffr p15.b
        wrffr p15.b
        wrffr p15.b
        wrffr p15.b
        wrffr p15.b
        wrffr p15.b
        wrffr p15.b
        wrffr p15.b
        wrffr p15.b
        wrffr p15.b
        wrffr p15.b
        wrffr p15.b
        wrffr p15.b
        wrffr p15.b
        winic_loop_count kernel_single
        winic_function_end
