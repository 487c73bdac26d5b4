# throughput of WRFSBASE; 18 instances or passes
        winic_setup kernel
        rdfsbase r13
        mov qword ptr [rip + winic_thread_pointer], r13
        winic_setup_end
        winic_function kernel_single, kernel
        wrfsbase r13d
        wrfsbase r13d
        wrfsbase r13d
        wrfsbase r13d
        wrfsbase r13d
        wrfsbase r13d
        wrfsbase r13d
        wrfsbase r13d
        wrfsbase r13d
        wrfsbase r13d
        wrfsbase r13d
        wrfsbase r13d
        wrfsbase r13d
        wrfsbase r13d
        wrfsbase r13d
        wrfsbase r13d
        wrfsbase r13d
        wrfsbase r13d
        winic_loop_count kernel_single
        mov rax, qword ptr [rip + winic_thread_pointer]
        wrfsbase rax
        winic_function_end
