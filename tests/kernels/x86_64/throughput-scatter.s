# throughput of VPSCATTERDQZmr; 18 instances or passes
        winic_setup kernel
        lea rdi, [rip + winic_region]
        mov ecx, 520
        movabs rax, 0x3db53db53db53db5
        rep stosq
        vmovups ymm15, ymmword ptr [rip + winic_data + 256]
        vmovups zmm14, zmmword ptr [rip + winic_data + 128]
        movabs rax, 0xffffffffffffffff
        kmovq k1, rax
        movabs rax, 0xffffffffffffffff
        kmovq k2, rax
        movabs rax, 0xffffffffffffffff
        kmovq k3, rax
        movabs rax, 0xffffffffffffffff
        kmovq k4, rax
        movabs rax, 0xffffffffffffffff
        kmovq k5, rax
        movabs rax, 0xffffffffffffffff
        kmovq k6, rax
        movabs rax, 0xffffffffffffffff
        kmovq k7, rax
        lea r14, [rip + winic_region + 0]
        winic_setup_end
        winic_function kernel_single, kernel
        kmovq k1, k7
        vpscatterdq qword ptr [r14 + ymm15] {k1}, zmm14
        kmovq k2, k7
        vpscatterdq qword ptr [r14 + ymm15 + 64] {k2}, zmm14
        kmovq k3, k7
        vpscatterdq qword ptr [r14 + ymm15 + 128] {k3}, zmm14
        kmovq k4, k7
        vpscatterdq qword ptr [r14 + ymm15 + 192] {k4}, zmm14
        kmovq k5, k7
        vpscatterdq qword ptr [r14 + ymm15 + 256] {k5}, zmm14
        kmovq k6, k7
        vpscatterdq qword ptr [r14 + ymm15 + 320] {k6}, zmm14
        kmovq k1, k7
        vpscatterdq qword ptr [r14 + ymm15 + 384] {k1}, zmm14
        kmovq k2, k7
        vpscatterdq qword ptr [r14 + ymm15 + 448] {k2}, zmm14
        kmovq k3, k7
        vpscatterdq qword ptr [r14 + ymm15 + 512] {k3}, zmm14
        kmovq k4, k7
        vpscatterdq qword ptr [r14 + ymm15 + 576] {k4}, zmm14
        kmovq k5, k7
        vpscatterdq qword ptr [r14 + ymm15 + 640] {k5}, zmm14
        kmovq k6, k7
        vpscatterdq qword ptr [r14 + ymm15 + 704] {k6}, zmm14
        kmovq k1, k7
        vpscatterdq qword ptr [r14 + ymm15 + 768] {k1}, zmm14
        kmovq k2, k7
        vpscatterdq qword ptr [r14 + ymm15 + 832] {k2}, zmm14
        kmovq k3, k7
        vpscatterdq qword ptr [r14 + ymm15 + 896] {k3}, zmm14
        kmovq k4, k7
        vpscatterdq qword ptr [r14 + ymm15] {k4}, zmm14
        kmovq k5, k7
        vpscatterdq qword ptr [r14 + ymm15 + 64] {k5}, zmm14
        kmovq k6, k7
        vpscatterdq qword ptr [r14 + ymm15 + 128] {k6}, zmm14
        winic_loop_count kernel_single
        vzeroupper
        winic_function_end
