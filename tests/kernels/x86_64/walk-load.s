# a walk of 1 pointers through 65536 bytes; 64 instances or passes
        winic_setup kernel
        vmovups ymm0, ymmword ptr [rip + winic_data + 0]
        vmovups ymm1, ymmword ptr [rip + winic_data + 64]
        vmovups ymm2, ymmword ptr [rip + winic_data + 128]
        vmovups ymm3, ymmword ptr [rip + winic_data + 192]
        vmovups ymm4, ymmword ptr [rip + winic_data + 0]
        vmovups ymm5, ymmword ptr [rip + winic_data + 64]
        vmovups ymm6, ymmword ptr [rip + winic_data + 128]
        vmovups ymm7, ymmword ptr [rip + winic_data + 192]
        vmovups ymm8, ymmword ptr [rip + winic_data + 0]
        vmovups ymm9, ymmword ptr [rip + winic_data + 64]
        vmovups ymm10, ymmword ptr [rip + winic_data + 128]
        vmovups ymm11, ymmword ptr [rip + winic_data + 192]
        vmovups ymm12, ymmword ptr [rip + winic_data + 0]
        vmovups ymm13, ymmword ptr [rip + winic_data + 64]
        vmovups ymm14, ymmword ptr [rip + winic_data + 128]
        vmovups ymm15, ymmword ptr [rip + winic_data + 192]
        mov r11, qword ptr [rip + winic_buffer_cell]
        mov rbx, qword ptr [rip + winic_walked]
        movabs r14, 0x0
        add r14, r11
        add r14, rbx
        movabs rbx, 0x10000
        add rbx, r11
        movabs r11, 0x10000
        winic_setup_end
        winic_function kernel_single, kernel
        vmovups ymm0, ymmword ptr [r14]
        vmovups ymm1, ymmword ptr [r14 + 32]
        vmovups ymm2, ymmword ptr [r14 + 64]
        vmovups ymm3, ymmword ptr [r14 + 96]
        vmovups ymm4, ymmword ptr [r14 + 128]
        vmovups ymm5, ymmword ptr [r14 + 160]
        vmovups ymm6, ymmword ptr [r14 + 192]
        vmovups ymm7, ymmword ptr [r14 + 224]
        vmovups ymm8, ymmword ptr [r14 + 256]
        vmovups ymm9, ymmword ptr [r14 + 288]
        vmovups ymm10, ymmword ptr [r14 + 320]
        vmovups ymm11, ymmword ptr [r14 + 352]
        vmovups ymm12, ymmword ptr [r14 + 384]
        vmovups ymm13, ymmword ptr [r14 + 416]
        vmovups ymm14, ymmword ptr [r14 + 448]
        vmovups ymm15, ymmword ptr [r14 + 480]
        vmovups ymm0, ymmword ptr [r14 + 512]
        vmovups ymm1, ymmword ptr [r14 + 544]
        vmovups ymm2, ymmword ptr [r14 + 576]
        vmovups ymm3, ymmword ptr [r14 + 608]
        vmovups ymm4, ymmword ptr [r14 + 640]
        vmovups ymm5, ymmword ptr [r14 + 672]
        vmovups ymm6, ymmword ptr [r14 + 704]
        vmovups ymm7, ymmword ptr [r14 + 736]
        vmovups ymm8, ymmword ptr [r14 + 768]
        vmovups ymm9, ymmword ptr [r14 + 800]
        vmovups ymm10, ymmword ptr [r14 + 832]
        vmovups ymm11, ymmword ptr [r14 + 864]
        vmovups ymm12, ymmword ptr [r14 + 896]
        vmovups ymm13, ymmword ptr [r14 + 928]
        vmovups ymm14, ymmword ptr [r14 + 960]
        vmovups ymm15, ymmword ptr [r14 + 992]
        vmovups ymm0, ymmword ptr [r14 + 1024]
        vmovups ymm1, ymmword ptr [r14 + 1056]
        vmovups ymm2, ymmword ptr [r14 + 1088]
        vmovups ymm3, ymmword ptr [r14 + 1120]
        vmovups ymm4, ymmword ptr [r14 + 1152]
        vmovups ymm5, ymmword ptr [r14 + 1184]
        vmovups ymm6, ymmword ptr [r14 + 1216]
        vmovups ymm7, ymmword ptr [r14 + 1248]
        vmovups ymm8, ymmword ptr [r14 + 1280]
        vmovups ymm9, ymmword ptr [r14 + 1312]
        vmovups ymm10, ymmword ptr [r14 + 1344]
        vmovups ymm11, ymmword ptr [r14 + 1376]
        vmovups ymm12, ymmword ptr [r14 + 1408]
        vmovups ymm13, ymmword ptr [r14 + 1440]
        vmovups ymm14, ymmword ptr [r14 + 1472]
        vmovups ymm15, ymmword ptr [r14 + 1504]
        vmovups ymm0, ymmword ptr [r14 + 1536]
        vmovups ymm1, ymmword ptr [r14 + 1568]
        vmovups ymm2, ymmword ptr [r14 + 1600]
        vmovups ymm3, ymmword ptr [r14 + 1632]
        vmovups ymm4, ymmword ptr [r14 + 1664]
        vmovups ymm5, ymmword ptr [r14 + 1696]
        vmovups ymm6, ymmword ptr [r14 + 1728]
        vmovups ymm7, ymmword ptr [r14 + 1760]
        vmovups ymm8, ymmword ptr [r14 + 1792]
        vmovups ymm9, ymmword ptr [r14 + 1824]
        vmovups ymm10, ymmword ptr [r14 + 1856]
        vmovups ymm11, ymmword ptr [r14 + 1888]
        vmovups ymm12, ymmword ptr [r14 + 1920]
        vmovups ymm13, ymmword ptr [r14 + 1952]
        vmovups ymm14, ymmword ptr [r14 + 1984]
        vmovups ymm15, ymmword ptr [r14 + 2016]
        add r14, 2048
        cmp r14, rbx
        jb 8f
        sub r14, r11
        8:
        winic_loop_count kernel_single
        sub r14, qword ptr [rip + winic_buffer_cell]
        movabs r11, 0x0
        sub r14, r11
        mov qword ptr [rip + winic_walked], r14
        vzeroupper
        winic_function_end
