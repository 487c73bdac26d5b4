# loads from 1 MiB, each of which says where the next one is; 15 instances or passes
        winic_setup kernel
        mov r14, qword ptr [rip + winic_buffer_cell]
        mov rbp, qword ptr [rip + winic_walked]
        winic_setup_end
        winic_function kernel_single, kernel
        imul rbp, rbp, 0x4c957f2d
        add rbp, 1984
        and rbp, 0xfffc0
        lea rbx, [r14 + rbp]
        mov rbx, qword ptr [rbx]
        add rbp, rbx
        imul rbp, rbp, 0x4c957f2d
        add rbp, 1984
        and rbp, 0xfffc0
        lea rbx, [r14 + rbp]
        mov rbx, qword ptr [rbx]
        add rbp, rbx
        imul rbp, rbp, 0x4c957f2d
        add rbp, 1984
        and rbp, 0xfffc0
        lea rbx, [r14 + rbp]
        mov rbx, qword ptr [rbx]
        add rbp, rbx
        imul rbp, rbp, 0x4c957f2d
        add rbp, 1984
        and rbp, 0xfffc0
        lea rbx, [r14 + rbp]
        mov rbx, qword ptr [rbx]
        add rbp, rbx
        imul rbp, rbp, 0x4c957f2d
        add rbp, 1984
        and rbp, 0xfffc0
        lea rbx, [r14 + rbp]
        mov rbx, qword ptr [rbx]
        add rbp, rbx
        imul rbp, rbp, 0x4c957f2d
        add rbp, 1984
        and rbp, 0xfffc0
        lea rbx, [r14 + rbp]
        mov rbx, qword ptr [rbx]
        add rbp, rbx
        imul rbp, rbp, 0x4c957f2d
        add rbp, 1984
        and rbp, 0xfffc0
        lea rbx, [r14 + rbp]
        mov rbx, qword ptr [rbx]
        add rbp, rbx
        imul rbp, rbp, 0x4c957f2d
        add rbp, 1984
        and rbp, 0xfffc0
        lea rbx, [r14 + rbp]
        mov rbx, qword ptr [rbx]
        add rbp, rbx
        imul rbp, rbp, 0x4c957f2d
        add rbp, 1984
        and rbp, 0xfffc0
        lea rbx, [r14 + rbp]
        mov rbx, qword ptr [rbx]
        add rbp, rbx
        imul rbp, rbp, 0x4c957f2d
        add rbp, 1984
        and rbp, 0xfffc0
        lea rbx, [r14 + rbp]
        mov rbx, qword ptr [rbx]
        add rbp, rbx
        imul rbp, rbp, 0x4c957f2d
        add rbp, 1984
        and rbp, 0xfffc0
        lea rbx, [r14 + rbp]
        mov rbx, qword ptr [rbx]
        add rbp, rbx
        imul rbp, rbp, 0x4c957f2d
        add rbp, 1984
        and rbp, 0xfffc0
        lea rbx, [r14 + rbp]
        mov rbx, qword ptr [rbx]
        add rbp, rbx
        imul rbp, rbp, 0x4c957f2d
        add rbp, 1984
        and rbp, 0xfffc0
        lea rbx, [r14 + rbp]
        mov rbx, qword ptr [rbx]
        add rbp, rbx
        imul rbp, rbp, 0x4c957f2d
        add rbp, 1984
        and rbp, 0xfffc0
        lea rbx, [r14 + rbp]
        mov rbx, qword ptr [rbx]
        add rbp, rbx
        imul rbp, rbp, 0x4c957f2d
        add rbp, 1984
        and rbp, 0xfffc0
        lea rbx, [r14 + rbp]
        mov rbx, qword ptr [rbx]
        add rbp, rbx
        winic_loop_count kernel_single
        mov qword ptr [rip + winic_walked], rbp
        winic_function_end
