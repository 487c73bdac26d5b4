# latency of COM_FST0r:0>FPSW then FNSTSW16r:FPSW>AX then TEST16rr:0>EFLAGS then CMOVE_F:EFLAGS>ST0 then ST_Frr:ST0>0, Same, 0 fillers; 3 instances or passes
        winic_setup kernel
        call winic_fill_x87
        movabs rax, 0x1c003c003d100305
        movabs rbp, 0x1c003c003d100305
        movabs r13, 0x1c003c003d103c6d
        winic_setup_end
        winic_function kernel_single, kernel
        fld st(4)
        fstp st(1)
        fcom st(1)
        mov rax, rbp
        fnstsw ax
        test ax, r13w
        fcmove st, st(5)
        fst st(1)
        fld st(4)
        fstp st(1)
        fcom st(1)
        mov rax, rbp
        fnstsw ax
        test ax, r13w
        fcmove st, st(5)
        fst st(1)
        fld st(4)
        fstp st(1)
        fcom st(1)
        mov rax, rbp
        fnstsw ax
        test ax, r13w
        fcmove st, st(5)
        fst st(1)
        winic_loop_count kernel_single
        fninit
        winic_function_end
