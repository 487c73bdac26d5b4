# latency of FMOVXDr:1>0 then FMOVDXr:1>0, Same, 0 fillers; 6 instances or passes
        winic_setup kernel
        ldr q0, [x28, #0]
        ldr x0, [x28, #64]
        winic_setup_end
        winic_function kernel_single, kernel
        fmov d0, x0
        fmov x0, d0
        fmov d0, x0
        fmov x0, d0
        fmov d0, x0
        fmov x0, d0
        fmov d0, x0
        fmov x0, d0
        fmov d0, x0
        fmov x0, d0
        fmov d0, x0
        fmov x0, d0
        winic_loop_count kernel_single
        winic_function_end
