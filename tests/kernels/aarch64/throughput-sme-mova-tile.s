# throughput of MOVA_MXI4Z_H_S; 18 instances or passes
        winic_setup kernel
        rdsvl x0, #1
        cmp x0, #64
        b.hs 7f
        udf #0
        7:
        smstart
        zero {za}
        ptrue p0.h
        ld1rh { z28.h }, p0/z, [x28, #0]
        ld1rh { z29.h }, p0/z, [x28, #16]
        ld1rh { z30.h }, p0/z, [x28, #32]
        ld1rh { z31.h }, p0/z, [x28, #48]
        movz x15, #0x0
        winic_setup_end
        winic_function kernel_single, kernel
        mov za0h.s[w15, 0:3], { z28.s - z31.s }
        mov za1h.s[w15, 0:3], { z28.s - z31.s }
        mov za2h.s[w15, 0:3], { z28.s - z31.s }
        mov za3h.s[w15, 0:3], { z28.s - z31.s }
        mov za0h.s[w15, 0:3], { z28.s - z31.s }
        mov za1h.s[w15, 0:3], { z28.s - z31.s }
        mov za2h.s[w15, 0:3], { z28.s - z31.s }
        mov za3h.s[w15, 0:3], { z28.s - z31.s }
        mov za0h.s[w15, 0:3], { z28.s - z31.s }
        mov za1h.s[w15, 0:3], { z28.s - z31.s }
        mov za2h.s[w15, 0:3], { z28.s - z31.s }
        mov za3h.s[w15, 0:3], { z28.s - z31.s }
        mov za0h.s[w15, 0:3], { z28.s - z31.s }
        mov za1h.s[w15, 0:3], { z28.s - z31.s }
        mov za2h.s[w15, 0:3], { z28.s - z31.s }
        mov za3h.s[w15, 0:3], { z28.s - z31.s }
        mov za0h.s[w15, 0:3], { z28.s - z31.s }
        mov za1h.s[w15, 0:3], { z28.s - z31.s }
        winic_loop_count kernel_single
        smstop
        winic_function_end
