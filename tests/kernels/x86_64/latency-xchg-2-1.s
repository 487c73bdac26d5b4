# latency of XCHG64rr:2>1, Rotating, 0 fillers; 12 instances or passes
        winic_setup kernel
        movabs rax, 0x1c003c003d100305
        movabs rcx, 0x1c003c003d103c05
        movabs rdx, 0x5
        movabs rsi, 0x1c003c003d103c5d
        winic_setup_end
        winic_function kernel_single, kernel
        .byte 0x48, 0x87, 0xf0  # xchg rsi, rax
        .byte 0x48, 0x87, 0xc1  # xchg rax, rcx
        xchg rcx, rdx
        xchg rdx, rsi
        .byte 0x48, 0x87, 0xf0  # xchg rsi, rax
        .byte 0x48, 0x87, 0xc1  # xchg rax, rcx
        xchg rcx, rdx
        xchg rdx, rsi
        .byte 0x48, 0x87, 0xf0  # xchg rsi, rax
        .byte 0x48, 0x87, 0xc1  # xchg rax, rcx
        xchg rcx, rdx
        xchg rdx, rsi
        winic_loop_count kernel_single
        winic_function_end
