# throughput of PEXT_2PCI_S; 18 instances or passes
        winic_setup kernel
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
        ptrue pn15.b
        winic_setup_end
        winic_function kernel_single, kernel
        pext { p0.s, p1.s }, pn15[1]
        pext { p2.s, p3.s }, pn15[1]
        pext { p4.s, p5.s }, pn15[1]
        pext { p6.s, p7.s }, pn15[1]
        pext { p8.s, p9.s }, pn15[1]
        pext { p10.s, p11.s }, pn15[1]
        pext { p12.s, p13.s }, pn15[1]
        pext { p0.s, p1.s }, pn15[1]
        pext { p2.s, p3.s }, pn15[1]
        pext { p4.s, p5.s }, pn15[1]
        pext { p6.s, p7.s }, pn15[1]
        pext { p8.s, p9.s }, pn15[1]
        pext { p10.s, p11.s }, pn15[1]
        pext { p12.s, p13.s }, pn15[1]
        pext { p0.s, p1.s }, pn15[1]
        pext { p2.s, p3.s }, pn15[1]
        pext { p4.s, p5.s }, pn15[1]
        pext { p6.s, p7.s }, pn15[1]
        winic_loop_count kernel_single
        winic_function_end
