# throughput of MOV32ao64; 18 instances or passes
        winic_setup kernel
        mov edi, 0x60000000
        mov ecx, 520
        movabs rax, 0x3db53db53db53db5
        rep stosq
        winic_setup_end
        winic_function kernel_single, kernel
        movabs eax, dword ptr [1610612736]
        movabs eax, dword ptr [1610612736]
        movabs eax, dword ptr [1610612736]
        movabs eax, dword ptr [1610612736]
        movabs eax, dword ptr [1610612736]
        movabs eax, dword ptr [1610612736]
        movabs eax, dword ptr [1610612736]
        movabs eax, dword ptr [1610612736]
        movabs eax, dword ptr [1610612736]
        movabs eax, dword ptr [1610612736]
        movabs eax, dword ptr [1610612736]
        movabs eax, dword ptr [1610612736]
        movabs eax, dword ptr [1610612736]
        movabs eax, dword ptr [1610612736]
        movabs eax, dword ptr [1610612736]
        movabs eax, dword ptr [1610612736]
        movabs eax, dword ptr [1610612736]
        movabs eax, dword ptr [1610612736]
        winic_loop_count kernel_single
        winic_function_end
