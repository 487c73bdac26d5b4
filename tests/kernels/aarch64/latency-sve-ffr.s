# latency of WRFFR:0>FFR then RDFFR_P:FFR>0, Same, 0 fillers; 6 instances or passes
        winic_setup kernel
        setffr
        ptrue p0.b
        winic_setup_end
        winic_function kernel_single, kernel
        wrffr p0.b
        rdffr p0.b
        wrffr p0.b
        rdffr p0.b
        wrffr p0.b
        rdffr p0.b
        wrffr p0.b
        rdffr p0.b
        wrffr p0.b
        rdffr p0.b
        wrffr p0.b
        rdffr p0.b
        winic_loop_count kernel_single
        winic_function_end
