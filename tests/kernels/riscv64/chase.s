# loads from 1 MiB, each of which says where the next one is; 15 instances or passes
        winic_setup kernel
        lla x25, winic_buffer_cell
        ld x1, 0(x25)
        ld x26, 8(x25)
        li x24, 0x4c957f2d
        li x23, 0xfffc0
        winic_setup_end
        winic_function kernel_single, kernel
        mul x26, x26, x24
        addi x26, x26, 1984
        and x26, x26, x23
        add x25, x1, x26
        ld x25, 0(x25)
        add x26, x26, x25
        mul x26, x26, x24
        addi x26, x26, 1984
        and x26, x26, x23
        add x25, x1, x26
        ld x25, 0(x25)
        add x26, x26, x25
        mul x26, x26, x24
        addi x26, x26, 1984
        and x26, x26, x23
        add x25, x1, x26
        ld x25, 0(x25)
        add x26, x26, x25
        mul x26, x26, x24
        addi x26, x26, 1984
        and x26, x26, x23
        add x25, x1, x26
        ld x25, 0(x25)
        add x26, x26, x25
        mul x26, x26, x24
        addi x26, x26, 1984
        and x26, x26, x23
        add x25, x1, x26
        ld x25, 0(x25)
        add x26, x26, x25
        mul x26, x26, x24
        addi x26, x26, 1984
        and x26, x26, x23
        add x25, x1, x26
        ld x25, 0(x25)
        add x26, x26, x25
        mul x26, x26, x24
        addi x26, x26, 1984
        and x26, x26, x23
        add x25, x1, x26
        ld x25, 0(x25)
        add x26, x26, x25
        mul x26, x26, x24
        addi x26, x26, 1984
        and x26, x26, x23
        add x25, x1, x26
        ld x25, 0(x25)
        add x26, x26, x25
        mul x26, x26, x24
        addi x26, x26, 1984
        and x26, x26, x23
        add x25, x1, x26
        ld x25, 0(x25)
        add x26, x26, x25
        mul x26, x26, x24
        addi x26, x26, 1984
        and x26, x26, x23
        add x25, x1, x26
        ld x25, 0(x25)
        add x26, x26, x25
        mul x26, x26, x24
        addi x26, x26, 1984
        and x26, x26, x23
        add x25, x1, x26
        ld x25, 0(x25)
        add x26, x26, x25
        mul x26, x26, x24
        addi x26, x26, 1984
        and x26, x26, x23
        add x25, x1, x26
        ld x25, 0(x25)
        add x26, x26, x25
        mul x26, x26, x24
        addi x26, x26, 1984
        and x26, x26, x23
        add x25, x1, x26
        ld x25, 0(x25)
        add x26, x26, x25
        mul x26, x26, x24
        addi x26, x26, 1984
        and x26, x26, x23
        add x25, x1, x26
        ld x25, 0(x25)
        add x26, x26, x25
        mul x26, x26, x24
        addi x26, x26, 1984
        and x26, x26, x23
        add x25, x1, x26
        ld x25, 0(x25)
        add x26, x26, x25
        winic_loop_count kernel_single
        lla x25, winic_buffer_cell
        sd x26, 8(x25)
        winic_function_end
