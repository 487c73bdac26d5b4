# throughput of ADD64mr@absolute; 18 instances or passes
        winic_setup kernel
        mov edi, 0x60000000
        mov ecx, 520
        movabs rax, 0x3db53db53db53db5
        rep stosq
        movabs rbp, 0x1c003c003d103c49
        winic_setup_end
        winic_function kernel_single, kernel
        add qword ptr [1610612736], rbp
        add qword ptr [1610612800], rbp
        add qword ptr [1610612864], rbp
        add qword ptr [1610612928], rbp
        add qword ptr [1610612992], rbp
        add qword ptr [1610613056], rbp
        add qword ptr [1610613120], rbp
        add qword ptr [1610613184], rbp
        add qword ptr [1610613248], rbp
        add qword ptr [1610613312], rbp
        add qword ptr [1610613376], rbp
        add qword ptr [1610613440], rbp
        add qword ptr [1610613504], rbp
        add qword ptr [1610613568], rbp
        add qword ptr [1610613632], rbp
        add qword ptr [1610612736], rbp
        add qword ptr [1610612800], rbp
        add qword ptr [1610612864], rbp
        winic_loop_count kernel_single
        winic_function_end
