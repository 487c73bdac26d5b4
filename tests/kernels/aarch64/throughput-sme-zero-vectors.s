# throughput of ZERO_MXI_VG2_2Z; 18 instances or passes
        winic_setup kernel
        rdsvl x0, #1
        cmp x0, #64
        b.hs 7f
        udf #0
        7:
        smstart
        zero {za}
        movz x8, #0x0
        movz x9, #0x8
        movz x10, #0x10
        movz x11, #0x18
        winic_setup_end
        winic_function kernel_single, kernel
        zero za.d[w8, 0:1, vgx2]
        zero za.d[w8, 2:3, vgx2]
        zero za.d[w8, 4:5, vgx2]
        zero za.d[w8, 6:7, vgx2]
        zero za.d[w9, 0:1, vgx2]
        zero za.d[w9, 2:3, vgx2]
        zero za.d[w9, 4:5, vgx2]
        zero za.d[w9, 6:7, vgx2]
        zero za.d[w10, 0:1, vgx2]
        zero za.d[w10, 2:3, vgx2]
        zero za.d[w10, 4:5, vgx2]
        zero za.d[w10, 6:7, vgx2]
        zero za.d[w11, 0:1, vgx2]
        zero za.d[w11, 2:3, vgx2]
        zero za.d[w11, 4:5, vgx2]
        zero za.d[w11, 6:7, vgx2]
        zero za.d[w8, 0:1, vgx2]
        zero za.d[w8, 2:3, vgx2]
        winic_loop_count kernel_single
        smstop
        winic_function_end
