# throughput of VPGATHERDDYrm; 18 instances or passes
        winic_setup kernel
        lea rdi, [rip + winic_region]
        mov ecx, 520
        movabs rax, 0x3db53db53db53db5
        rep stosq
        .pushsection .data.winic, "aw", @progbits
        .balign 64
        1: .fill 8, 8, 0xffffffffffffffff
        .popsection
        vmovups ymm0, ymmword ptr [rip + 1b]
        .pushsection .data.winic, "aw", @progbits
        .balign 64
        1: .fill 8, 8, 0xffffffffffffffff
        .popsection
        vmovups ymm1, ymmword ptr [rip + 1b]
        .pushsection .data.winic, "aw", @progbits
        .balign 64
        1: .fill 8, 8, 0xffffffffffffffff
        .popsection
        vmovups ymm2, ymmword ptr [rip + 1b]
        .pushsection .data.winic, "aw", @progbits
        .balign 64
        1: .fill 8, 8, 0xffffffffffffffff
        .popsection
        vmovups ymm3, ymmword ptr [rip + 1b]
        .pushsection .data.winic, "aw", @progbits
        .balign 64
        1: .fill 8, 8, 0xffffffffffffffff
        .popsection
        vmovups ymm4, ymmword ptr [rip + 1b]
        .pushsection .data.winic, "aw", @progbits
        .balign 64
        1: .fill 8, 8, 0xffffffffffffffff
        .popsection
        vmovups ymm5, ymmword ptr [rip + 1b]
        .pushsection .data.winic, "aw", @progbits
        .balign 64
        1: .fill 8, 8, 0xffffffffffffffff
        .popsection
        vmovups ymm6, ymmword ptr [rip + 1b]
        .pushsection .data.winic, "aw", @progbits
        .balign 64
        1: .fill 8, 8, 0xffffffffffffffff
        .popsection
        vmovups ymm7, ymmword ptr [rip + 1b]
        .pushsection .data.winic, "aw", @progbits
        .balign 64
        1: .fill 8, 8, 0xffffffffffffffff
        .popsection
        vmovups ymm8, ymmword ptr [rip + 1b]
        .pushsection .data.winic, "aw", @progbits
        .balign 64
        1: .fill 8, 8, 0xffffffffffffffff
        .popsection
        vmovups ymm9, ymmword ptr [rip + 1b]
        .pushsection .data.winic, "aw", @progbits
        .balign 64
        1: .fill 8, 8, 0xffffffffffffffff
        .popsection
        vmovups ymm10, ymmword ptr [rip + 1b]
        .pushsection .data.winic, "aw", @progbits
        .balign 64
        1: .fill 8, 8, 0xffffffffffffffff
        .popsection
        vmovups ymm11, ymmword ptr [rip + 1b]
        .pushsection .data.winic, "aw", @progbits
        .balign 64
        1: .fill 8, 8, 0xffffffffffffffff
        .popsection
        vmovups ymm12, ymmword ptr [rip + 1b]
        .pushsection .data.winic, "aw", @progbits
        .balign 64
        1: .fill 8, 8, 0xffffffffffffffff
        .popsection
        vmovups ymm13, ymmword ptr [rip + 1b]
        .pushsection .data.winic, "aw", @progbits
        .balign 64
        1: .fill 8, 8, 0xffffffffffffffff
        .popsection
        vmovups ymm14, ymmword ptr [rip + 1b]
        vmovups ymm15, ymmword ptr [rip + winic_data + 256]
        lea r14, [rip + winic_region + 0]
        winic_setup_end
        winic_function kernel_single, kernel
        .byte 0xc4, 0xc1, 0x7c, 0x28, 0xce  /* vmovaps ymm1, ymm14 */
        vpgatherdd ymm0, dword ptr [r14 + ymm15], ymm1
        .byte 0xc4, 0xc1, 0x7c, 0x28, 0xde  /* vmovaps ymm3, ymm14 */
        vpgatherdd ymm2, dword ptr [r14 + ymm15], ymm3
        .byte 0xc4, 0xc1, 0x7c, 0x28, 0xee  /* vmovaps ymm5, ymm14 */
        vpgatherdd ymm4, dword ptr [r14 + ymm15], ymm5
        .byte 0xc4, 0xc1, 0x7c, 0x28, 0xfe  /* vmovaps ymm7, ymm14 */
        vpgatherdd ymm6, dword ptr [r14 + ymm15], ymm7
        vmovaps ymm9, ymm14
        vpgatherdd ymm8, dword ptr [r14 + ymm15], ymm9
        vmovaps ymm11, ymm14
        vpgatherdd ymm10, dword ptr [r14 + ymm15], ymm11
        vmovaps ymm13, ymm14
        vpgatherdd ymm12, dword ptr [r14 + ymm15], ymm13
        .byte 0xc4, 0xc1, 0x7c, 0x28, 0xce  /* vmovaps ymm1, ymm14 */
        vpgatherdd ymm0, dword ptr [r14 + ymm15], ymm1
        .byte 0xc4, 0xc1, 0x7c, 0x28, 0xde  /* vmovaps ymm3, ymm14 */
        vpgatherdd ymm2, dword ptr [r14 + ymm15], ymm3
        .byte 0xc4, 0xc1, 0x7c, 0x28, 0xee  /* vmovaps ymm5, ymm14 */
        vpgatherdd ymm4, dword ptr [r14 + ymm15], ymm5
        .byte 0xc4, 0xc1, 0x7c, 0x28, 0xfe  /* vmovaps ymm7, ymm14 */
        vpgatherdd ymm6, dword ptr [r14 + ymm15], ymm7
        vmovaps ymm9, ymm14
        vpgatherdd ymm8, dword ptr [r14 + ymm15], ymm9
        vmovaps ymm11, ymm14
        vpgatherdd ymm10, dword ptr [r14 + ymm15], ymm11
        vmovaps ymm13, ymm14
        vpgatherdd ymm12, dword ptr [r14 + ymm15], ymm13
        .byte 0xc4, 0xc1, 0x7c, 0x28, 0xce  /* vmovaps ymm1, ymm14 */
        vpgatherdd ymm0, dword ptr [r14 + ymm15], ymm1
        .byte 0xc4, 0xc1, 0x7c, 0x28, 0xde  /* vmovaps ymm3, ymm14 */
        vpgatherdd ymm2, dword ptr [r14 + ymm15], ymm3
        .byte 0xc4, 0xc1, 0x7c, 0x28, 0xee  /* vmovaps ymm5, ymm14 */
        vpgatherdd ymm4, dword ptr [r14 + ymm15], ymm5
        .byte 0xc4, 0xc1, 0x7c, 0x28, 0xfe  /* vmovaps ymm7, ymm14 */
        vpgatherdd ymm6, dword ptr [r14 + ymm15], ymm7
        winic_loop_count kernel_single
        vzeroupper
        winic_function_end
