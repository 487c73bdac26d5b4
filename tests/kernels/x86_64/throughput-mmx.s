# throughput of MMX_PADDBrr; 18 instances or passes
        winic_setup kernel
        movq mm0, qword ptr [rip + winic_data + 0]
        movq mm1, qword ptr [rip + winic_data + 64]
        movq mm2, qword ptr [rip + winic_data + 128]
        movq mm3, qword ptr [rip + winic_data + 192]
        movq mm4, qword ptr [rip + winic_data + 0]
        movq mm5, qword ptr [rip + winic_data + 64]
        movq mm6, qword ptr [rip + winic_data + 128]
        movq mm7, qword ptr [rip + winic_data + 192]
        winic_setup_end
        winic_function kernel_single, kernel
        paddb mm0, mm7
        paddb mm1, mm7
        paddb mm2, mm7
        paddb mm3, mm7
        paddb mm4, mm7
        paddb mm5, mm7
        paddb mm6, mm7
        paddb mm0, mm7
        paddb mm1, mm7
        paddb mm2, mm7
        paddb mm3, mm7
        paddb mm4, mm7
        paddb mm5, mm7
        paddb mm6, mm7
        paddb mm0, mm7
        paddb mm1, mm7
        paddb mm2, mm7
        paddb mm3, mm7
        winic_loop_count kernel_single
        emms
        winic_function_end
