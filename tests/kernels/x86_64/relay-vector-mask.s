# relay of VPADDDZ128rr:1>0 then VPMOVB2MZ128kr:1>0 then KNOTWkk:1>0; 4 instances or passes
        winic_setup kernel
        vmovups ymm0, ymmword ptr [rip + winic_data + 0]
        vmovups ymm15, ymmword ptr [rip + winic_data + 192]
        movabs rax, 0x6db6db6db6db5a5d
        kmovq k0, rax
        winic_setup_end
        winic_function kernel_single, kernel
        lfence
        .rept 24
        .ascii "\220"
        .endr
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        vpmovb2m k0, xmm0
        knotw k0, k0
        knotw k0, k0
        knotw k0, k0
        knotw k0, k0
        knotw k0, k0
        knotw k0, k0
        knotw k0, k0
        knotw k0, k0
        lfence
        .rept 24
        .ascii "\220"
        .endr
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        vpmovb2m k0, xmm0
        knotw k0, k0
        knotw k0, k0
        knotw k0, k0
        knotw k0, k0
        knotw k0, k0
        knotw k0, k0
        knotw k0, k0
        knotw k0, k0
        lfence
        .rept 24
        .ascii "\220"
        .endr
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        vpmovb2m k0, xmm0
        knotw k0, k0
        knotw k0, k0
        knotw k0, k0
        knotw k0, k0
        knotw k0, k0
        knotw k0, k0
        knotw k0, k0
        knotw k0, k0
        lfence
        .rept 24
        .ascii "\220"
        .endr
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        .byte 0x62, 0xd1, 0x7d, 0x08, 0xfe, 0xc7  /* vpaddd xmm0, xmm0, xmm15 */
        vpmovb2m k0, xmm0
        knotw k0, k0
        knotw k0, k0
        knotw k0, k0
        knotw k0, k0
        knotw k0, k0
        knotw k0, k0
        knotw k0, k0
        knotw k0, k0
        winic_loop_count kernel_single
        vzeroupper
        winic_function_end
