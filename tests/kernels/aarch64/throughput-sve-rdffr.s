# throughput of RDFFR_P; 18 instances or passes
        winic_setup kernel
        setffr
        ptrue p0.b
        ptrue p1.b
        ptrue p2.b
        ptrue p3.b
        ptrue p4.b
        ptrue p5.b
        ptrue p6.b
        ptrue p7.b
        ptrue p8.b
        ptrue p9.b
        ptrue p10.b
        ptrue p11.b
        ptrue p12.b
        ptrue p13.b
        ptrue p14.b
        ptrue p15.b
        winic_setup_end
        winic_function kernel_single, kernel
        rdffr p0.b
        rdffr p1.b
        rdffr p2.b
        rdffr p3.b
        rdffr p4.b
        rdffr p5.b
        rdffr p6.b
        rdffr p7.b
        rdffr p8.b
        rdffr p9.b
        rdffr p10.b
        rdffr p11.b
        rdffr p12.b
        rdffr p13.b
        rdffr p14.b
        rdffr p15.b
        rdffr p0.b
        rdffr p1.b
        winic_loop_count kernel_single
        winic_function_end
