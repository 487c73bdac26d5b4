# throughput of LD_F0; 18 instances or passes
        winic_setup kernel
        winic_setup_end
        winic_function kernel_single, kernel
        fldz
        fstp st(3)
        fldz
        fstp st(3)
        fldz
        fstp st(3)
        fldz
        fstp st(3)
        fldz
        fstp st(3)
        fldz
        fstp st(3)
        fldz
        fstp st(3)
        fldz
        fstp st(3)
        fldz
        fstp st(3)
        fldz
        fstp st(3)
        fldz
        fstp st(3)
        fldz
        fstp st(3)
        fldz
        fstp st(3)
        fldz
        fstp st(3)
        fldz
        fstp st(3)
        fldz
        fstp st(3)
        fldz
        fstp st(3)
        fldz
        fstp st(3)
        winic_loop_count kernel_single
        winic_function_end
