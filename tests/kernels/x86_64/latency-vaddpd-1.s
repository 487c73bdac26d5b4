# latency of VADDPDrr:1>0, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        vmovups ymm0, ymmword ptr [rip + winic_data + 0]
        vmovups ymm15, ymmword ptr [rip + winic_data + 192]
        winic_setup_end
        winic_function kernel_single, kernel
        .byte 0xc4, 0xc1, 0x79, 0x58, 0xc7  /* vaddpd xmm0, xmm0, xmm15 */
        .byte 0xc4, 0xc1, 0x79, 0x58, 0xc7  /* vaddpd xmm0, xmm0, xmm15 */
        .byte 0xc4, 0xc1, 0x79, 0x58, 0xc7  /* vaddpd xmm0, xmm0, xmm15 */
        .byte 0xc4, 0xc1, 0x79, 0x58, 0xc7  /* vaddpd xmm0, xmm0, xmm15 */
        .byte 0xc4, 0xc1, 0x79, 0x58, 0xc7  /* vaddpd xmm0, xmm0, xmm15 */
        .byte 0xc4, 0xc1, 0x79, 0x58, 0xc7  /* vaddpd xmm0, xmm0, xmm15 */
        .byte 0xc4, 0xc1, 0x79, 0x58, 0xc7  /* vaddpd xmm0, xmm0, xmm15 */
        .byte 0xc4, 0xc1, 0x79, 0x58, 0xc7  /* vaddpd xmm0, xmm0, xmm15 */
        .byte 0xc4, 0xc1, 0x79, 0x58, 0xc7  /* vaddpd xmm0, xmm0, xmm15 */
        .byte 0xc4, 0xc1, 0x79, 0x58, 0xc7  /* vaddpd xmm0, xmm0, xmm15 */
        .byte 0xc4, 0xc1, 0x79, 0x58, 0xc7  /* vaddpd xmm0, xmm0, xmm15 */
        .byte 0xc4, 0xc1, 0x79, 0x58, 0xc7  /* vaddpd xmm0, xmm0, xmm15 */
        winic_loop_count kernel_single
        vzeroupper
        winic_function_end
