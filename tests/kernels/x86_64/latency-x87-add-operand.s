# latency of ADD_FST0r:0>ST0 then ST_Frr:ST0>0, Same, 0 fillers; 6 instances or passes
        winic_setup kernel
        call winic_fill_x87
        winic_setup_end
        winic_function kernel_single, kernel
        fld st(5)
        fstp st(1)
        fadd st, st(1)
        fst st(1)
        fld st(5)
        fstp st(1)
        fadd st, st(1)
        fst st(1)
        fld st(5)
        fstp st(1)
        fadd st, st(1)
        fst st(1)
        fld st(5)
        fstp st(1)
        fadd st, st(1)
        fst st(1)
        fld st(5)
        fstp st(1)
        fadd st, st(1)
        fst st(1)
        fld st(5)
        fstp st(1)
        fadd st, st(1)
        fst st(1)
        winic_loop_count kernel_single
        fninit
        winic_function_end
