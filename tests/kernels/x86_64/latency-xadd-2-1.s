# latency of XADD64rr:2>1, Rotating, 0 fillers; 12 instances or passes
        winic_setup kernel
        movabs rax, 0x1c003c003d100305
        movabs rcx, 0x1c003c003d103c05
        movabs rdi, 0x1c003c003d103c7f
        movabs rdx, 0x5
        movabs rsi, 0x1c003c003d103c5d
        movabs r8, 0x1c003c003d103c55
        movabs r9, 0x1c003c003d103c57
        winic_setup_end
        winic_function kernel_single, kernel
        xadd rdi, rax
        xadd rax, rcx
        xadd rcx, rdx
        xadd rdx, rsi
        xadd rsi, rdi
        xadd rdi, r8
        xadd r8, r9
        xadd r9, rax
        xadd rax, rcx
        xadd rcx, rdx
        xadd rdx, rsi
        xadd rsi, rdi
        winic_loop_count kernel_single
        winic_function_end
