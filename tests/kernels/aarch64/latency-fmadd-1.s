# latency of FMADDDrrr:1>0, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        ldr q0, [x28, #0]
        ldr q30, [x28, #32]
        ldr q31, [x28, #48]
        winic_setup_end
        winic_function kernel_single, kernel
        fmadd d0, d0, d31, d30
        fmadd d0, d0, d31, d30
        fmadd d0, d0, d31, d30
        fmadd d0, d0, d31, d30
        fmadd d0, d0, d31, d30
        fmadd d0, d0, d31, d30
        fmadd d0, d0, d31, d30
        fmadd d0, d0, d31, d30
        fmadd d0, d0, d31, d30
        fmadd d0, d0, d31, d30
        fmadd d0, d0, d31, d30
        fmadd d0, d0, d31, d30
        winic_loop_count kernel_single
        winic_function_end
