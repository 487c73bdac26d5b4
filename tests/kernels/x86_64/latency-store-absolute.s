# latency of MOV64mr@absolute:5>memory then MOV64rm:memory>0, Same, 0 fillers; 6 instances or passes
        winic_setup kernel
        mov edi, 0x60000000
        mov ecx, 520
        movabs rax, 0x3db53db53db53db5
        rep stosq
        movabs rax, 0x1c003c003d100305
        movabs r14, 0x600000c0
        winic_setup_end
        winic_function kernel_single, kernel
        mov qword ptr [1610614784], rax
        mov rax, qword ptr [r14 + 1856]
        mov qword ptr [1610614848], rax
        mov rax, qword ptr [r14 + 1920]
        mov qword ptr [1610614912], rax
        mov rax, qword ptr [r14 + 1984]
        mov qword ptr [1610614976], rax
        mov rax, qword ptr [r14 + 2048]
        mov qword ptr [1610615040], rax
        mov rax, qword ptr [r14 + 2112]
        mov qword ptr [1610615104], rax
        mov rax, qword ptr [r14 + 2176]
        winic_loop_count kernel_single
        winic_function_end
