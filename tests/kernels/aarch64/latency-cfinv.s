# latency of CFINV:NZCV>NZCV, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        msr nzcv, xzr
        winic_setup_end
        winic_function kernel_single, kernel
        cfinv
        cfinv
        cfinv
        cfinv
        cfinv
        cfinv
        cfinv
        cfinv
        cfinv
        cfinv
        cfinv
        cfinv
        winic_loop_flagless kernel_single
        winic_function_end
