# latency of FMOPA_MPPZZ_S:4>0 then EXTRACT_ZPMXI_H_S:3>0, Tied, 0 fillers; 6 instances or passes
        winic_setup kernel
        rdsvl x0, #1
        cmp x0, #64
        b.hs 7f
        udf #0
        7:
        smstart
        zero {za}
        ptrue p0.h
        ld1rh { z0.h }, p0/z, [x28, #0]
        ld1rh { z31.h }, p0/z, [x28, #48]
        ptrue p5.b
        ptrue p6.b
        ptrue p7.b
        movz x15, #0x0
        winic_setup_end
        winic_function kernel_single, kernel
        fmopa za0.s, p7/m, p6/m, z0.s, z31.s
        mov z0.s, p5/m, za0h.s[w15, 1]
        fmopa za0.s, p7/m, p6/m, z0.s, z31.s
        mov z0.s, p5/m, za0h.s[w15, 1]
        fmopa za0.s, p7/m, p6/m, z0.s, z31.s
        mov z0.s, p5/m, za0h.s[w15, 1]
        fmopa za0.s, p7/m, p6/m, z0.s, z31.s
        mov z0.s, p5/m, za0h.s[w15, 1]
        fmopa za0.s, p7/m, p6/m, z0.s, z31.s
        mov z0.s, p5/m, za0h.s[w15, 1]
        fmopa za0.s, p7/m, p6/m, z0.s, z31.s
        mov z0.s, p5/m, za0h.s[w15, 1]
        winic_loop_count kernel_single
        smstop
        winic_function_end
