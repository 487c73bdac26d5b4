# throughput of ADD_FPrST0; 18 instances or passes
        winic_setup kernel
        call winic_fill_x87
        winic_setup_end
        winic_function kernel_single, kernel
        fld st(3)
        faddp st(1), st
        fld st(3)
        faddp st(2), st
        fld st(3)
        faddp st(3), st
        fld st(3)
        faddp st(4), st
        fld st(3)
        faddp st(5), st
        fld st(3)
        faddp st(1), st
        fld st(3)
        faddp st(2), st
        fld st(3)
        faddp st(3), st
        fld st(3)
        faddp st(4), st
        fld st(3)
        faddp st(5), st
        fld st(3)
        faddp st(1), st
        fld st(3)
        faddp st(2), st
        fld st(3)
        faddp st(3), st
        fld st(3)
        faddp st(4), st
        fld st(3)
        faddp st(5), st
        fld st(3)
        faddp st(1), st
        fld st(3)
        faddp st(2), st
        fld st(3)
        faddp st(3), st
        winic_loop_count kernel_single
        fninit
        winic_function_end
