# loads from 1 MiB, each of which says where the next one is; 15 instances or passes
        winic_setup kernel
        adrp x27, winic_buffer_cell
        add x27, x27, :lo12:winic_buffer_cell
        ldr x30, [x27]
        ldr x29, [x27, #8]
        movz x26, #0x7f2d
        movk x26, #0x4c95, lsl #16
        winic_setup_end
        winic_function kernel_single, kernel
        mul x29, x29, x26
        add x29, x29, #1984
        and x29, x29, #0xfffc0
        add x27, x30, x29
        ldr x27, [x27]
        add x29, x29, x27
        mul x29, x29, x26
        add x29, x29, #1984
        and x29, x29, #0xfffc0
        add x27, x30, x29
        ldr x27, [x27]
        add x29, x29, x27
        mul x29, x29, x26
        add x29, x29, #1984
        and x29, x29, #0xfffc0
        add x27, x30, x29
        ldr x27, [x27]
        add x29, x29, x27
        mul x29, x29, x26
        add x29, x29, #1984
        and x29, x29, #0xfffc0
        add x27, x30, x29
        ldr x27, [x27]
        add x29, x29, x27
        mul x29, x29, x26
        add x29, x29, #1984
        and x29, x29, #0xfffc0
        add x27, x30, x29
        ldr x27, [x27]
        add x29, x29, x27
        mul x29, x29, x26
        add x29, x29, #1984
        and x29, x29, #0xfffc0
        add x27, x30, x29
        ldr x27, [x27]
        add x29, x29, x27
        mul x29, x29, x26
        add x29, x29, #1984
        and x29, x29, #0xfffc0
        add x27, x30, x29
        ldr x27, [x27]
        add x29, x29, x27
        mul x29, x29, x26
        add x29, x29, #1984
        and x29, x29, #0xfffc0
        add x27, x30, x29
        ldr x27, [x27]
        add x29, x29, x27
        mul x29, x29, x26
        add x29, x29, #1984
        and x29, x29, #0xfffc0
        add x27, x30, x29
        ldr x27, [x27]
        add x29, x29, x27
        mul x29, x29, x26
        add x29, x29, #1984
        and x29, x29, #0xfffc0
        add x27, x30, x29
        ldr x27, [x27]
        add x29, x29, x27
        mul x29, x29, x26
        add x29, x29, #1984
        and x29, x29, #0xfffc0
        add x27, x30, x29
        ldr x27, [x27]
        add x29, x29, x27
        mul x29, x29, x26
        add x29, x29, #1984
        and x29, x29, #0xfffc0
        add x27, x30, x29
        ldr x27, [x27]
        add x29, x29, x27
        mul x29, x29, x26
        add x29, x29, #1984
        and x29, x29, #0xfffc0
        add x27, x30, x29
        ldr x27, [x27]
        add x29, x29, x27
        mul x29, x29, x26
        add x29, x29, #1984
        and x29, x29, #0xfffc0
        add x27, x30, x29
        ldr x27, [x27]
        add x29, x29, x27
        mul x29, x29, x26
        add x29, x29, #1984
        and x29, x29, #0xfffc0
        add x27, x30, x29
        ldr x27, [x27]
        add x29, x29, x27
        winic_loop_count kernel_single
        adrp x27, winic_buffer_cell
        add x27, x27, :lo12:winic_buffer_cell
        str x29, [x27, #8]
        winic_function_end
