# throughput of MOVT_TIX; 18 instances or passes
        winic_setup kernel
        rdsvl x0, #1
        cmp x0, #64
        b.hs 7f
        udf #0
        7:
        smstart
        zero {za}
        ldr x30, [x28, #304]
        winic_setup_end
        winic_function kernel_single, kernel
        movt zt0[40], x30
        movt zt0[40], x30
        movt zt0[40], x30
        movt zt0[40], x30
        movt zt0[40], x30
        movt zt0[40], x30
        movt zt0[40], x30
        movt zt0[40], x30
        movt zt0[40], x30
        movt zt0[40], x30
        movt zt0[40], x30
        movt zt0[40], x30
        movt zt0[40], x30
        movt zt0[40], x30
        movt zt0[40], x30
        movt zt0[40], x30
        movt zt0[40], x30
        movt zt0[40], x30
        winic_loop_count kernel_single
        smstop
        winic_function_end
