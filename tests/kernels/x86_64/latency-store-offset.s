# latency of MOV64o64a:RAX>memory then MOV64ao64:memory>RAX, Same, 0 fillers; 6 instances or passes
        winic_setup kernel
        mov edi, 0x60000000
        mov ecx, 520
        movabs rax, 0x3db53db53db53db5
        rep stosq
        movabs rax, 0x1c003c003d100305
        winic_setup_end
        winic_function kernel_single, kernel
        movabs qword ptr [1610614784], rax
        movabs rax, qword ptr [1610614784]
        movabs qword ptr [1610614848], rax
        movabs rax, qword ptr [1610614848]
        movabs qword ptr [1610614912], rax
        movabs rax, qword ptr [1610614912]
        movabs qword ptr [1610614976], rax
        movabs rax, qword ptr [1610614976]
        movabs qword ptr [1610615040], rax
        movabs rax, qword ptr [1610615040]
        movabs qword ptr [1610615104], rax
        movabs rax, qword ptr [1610615104]
        winic_loop_count kernel_single
        winic_function_end
