# latency of BRKAS_PPzP:2>0, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        ptrue p0.b
        ptrue p15.b
        winic_setup_end
        winic_function kernel_single, kernel
        brkas p0.b, p15/z, p0.b
        brkas p0.b, p15/z, p0.b
        brkas p0.b, p15/z, p0.b
        brkas p0.b, p15/z, p0.b
        brkas p0.b, p15/z, p0.b
        brkas p0.b, p15/z, p0.b
        brkas p0.b, p15/z, p0.b
        brkas p0.b, p15/z, p0.b
        brkas p0.b, p15/z, p0.b
        brkas p0.b, p15/z, p0.b
        brkas p0.b, p15/z, p0.b
        brkas p0.b, p15/z, p0.b
        winic_loop_count kernel_single
        winic_function_end
