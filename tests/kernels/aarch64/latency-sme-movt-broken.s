# latency of MOVT_TIX:2>0 then MOVT_XTI:1>0, Same, 0 fillers; 6 instances or passes
        winic_setup kernel
        rdsvl x0, #1
        cmp x0, #64
        b.hs 7f
        udf #0
        7:
        smstart
        zero {za}
        ldr x0, [x28, #64]
        winic_setup_end
        winic_function kernel_single, kernel
        zero { zt0 }
        movt zt0[40], x0
        movt x0, zt0[40]
        zero { zt0 }
        movt zt0[40], x0
        movt x0, zt0[40]
        zero { zt0 }
        movt zt0[40], x0
        movt x0, zt0[40]
        zero { zt0 }
        movt zt0[40], x0
        movt x0, zt0[40]
        zero { zt0 }
        movt zt0[40], x0
        movt x0, zt0[40]
        zero { zt0 }
        movt zt0[40], x0
        movt x0, zt0[40]
        winic_loop_count kernel_single
        smstop
        winic_function_end
