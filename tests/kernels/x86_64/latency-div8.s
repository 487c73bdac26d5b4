# latency of DIV8r:AX>AX then AND64rr:1>0=0 then OR64rr:1>0=DIV8r:AX, Same, 0 fillers; 6 instances or passes
        winic_setup kernel
        movabs rax, 0x32d
        movabs rbp, 0x0
        movabs r12, 0x32d
        movabs r13, 0x12
        winic_setup_end
        winic_function kernel_single, kernel
        div r13b
        and rax, rbp
        or rax, r12
        div r13b
        and rax, rbp
        or rax, r12
        div r13b
        and rax, rbp
        or rax, r12
        div r13b
        and rax, rbp
        or rax, r12
        div r13b
        and rax, rbp
        or rax, r12
        div r13b
        and rax, rbp
        or rax, r12
        winic_loop_count kernel_single
        winic_function_end
