# throughput of KANDWkk; 18 instances or passes
        winic_setup kernel
        movabs rax, 0x6db6db6db6db5a5d
        kmovq k0, rax
        movabs rax, 0x6db6db6db6db5a5d
        kmovq k1, rax
        movabs rax, 0x6db6db6db6db5a5d
        kmovq k2, rax
        movabs rax, 0x6db6db6db6db5a5d
        kmovq k3, rax
        movabs rax, 0x6db6db6db6db5a5d
        kmovq k4, rax
        movabs rax, 0x6db6db6db6db5a5d
        kmovq k5, rax
        movabs rax, 0x6db6db6db6db5a5d
        kmovq k6, rax
        movabs rax, 0x6db6db6db6db5a5d
        kmovq k7, rax
        winic_setup_end
        winic_function kernel_single, kernel
        kandw k0, k7, k6
        kandw k1, k7, k6
        kandw k2, k7, k6
        kandw k3, k7, k6
        kandw k4, k7, k6
        kandw k5, k7, k6
        kandw k0, k7, k6
        kandw k1, k7, k6
        kandw k2, k7, k6
        kandw k3, k7, k6
        kandw k4, k7, k6
        kandw k5, k7, k6
        kandw k0, k7, k6
        kandw k1, k7, k6
        kandw k2, k7, k6
        kandw k3, k7, k6
        kandw k4, k7, k6
        kandw k5, k7, k6
        winic_loop_count kernel_single
        winic_function_end
