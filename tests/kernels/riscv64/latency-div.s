# latency of DIV:1>0 then AND:1>0=0 then OR:1>0=DIV:1, Same, 0 fillers; 6 instances or passes
        winic_setup kernel
        li x1, 0x13c410305
        li x10, 0x1c003c003d103c55
        li x25, 0x1c003c003d103c73
        li x26, 0
        winic_setup_end
        winic_function kernel_single, kernel
        div a0, a0, ra
        and a0, a0, s10
        or a0, a0, s9
        div a0, a0, ra
        and a0, a0, s10
        or a0, a0, s9
        div a0, a0, ra
        and a0, a0, s10
        or a0, a0, s9
        div a0, a0, ra
        and a0, a0, s10
        or a0, a0, s9
        div a0, a0, ra
        and a0, a0, s10
        or a0, a0, s9
        div a0, a0, ra
        and a0, a0, s10
        or a0, a0, s9
        winic_loop_count kernel_single
        winic_function_end
