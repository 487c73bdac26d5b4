# throughput of SST1D_IMM; 18 instances or passes
        winic_setup kernel
        adrp x0, winic_region
        add x0, x0, :lo12:winic_region
        movz x1, #0x3db5
        movk x1, #0x3db5, lsl #16
        movk x1, #0x3db5, lsl #32
        movk x1, #0x3db5, lsl #48
        mov x2, #260
        1: stp x1, x1, [x0], #16
        subs x2, x2, #1
        b.ne 1b
        ptrue p0.h
        adrp x0, winic_region + 768
        add x0, x0, :lo12:(winic_region + 768)
        dup z27.d, x0
        adrp x0, winic_region + 512
        add x0, x0, :lo12:(winic_region + 512)
        dup z28.d, x0
        adrp x0, winic_region + 256
        add x0, x0, :lo12:(winic_region + 256)
        dup z29.d, x0
        adrp x0, winic_region + 0
        add x0, x0, :lo12:(winic_region + 0)
        dup z30.d, x0
        ld1rh { z31.h }, p0/z, [x28, #48]
        ptrue p7.b
        winic_setup_end
        winic_function kernel_single, kernel
        st1d { z31.d }, p7, [z30.d]
        st1d { z31.d }, p7, [z30.d, #64]
        st1d { z31.d }, p7, [z30.d, #128]
        st1d { z31.d }, p7, [z30.d, #192]
        st1d { z31.d }, p7, [z29.d]
        st1d { z31.d }, p7, [z29.d, #64]
        st1d { z31.d }, p7, [z29.d, #128]
        st1d { z31.d }, p7, [z29.d, #192]
        st1d { z31.d }, p7, [z28.d]
        st1d { z31.d }, p7, [z28.d, #64]
        st1d { z31.d }, p7, [z28.d, #128]
        st1d { z31.d }, p7, [z28.d, #192]
        st1d { z31.d }, p7, [z27.d]
        st1d { z31.d }, p7, [z27.d, #64]
        st1d { z31.d }, p7, [z27.d, #128]
        st1d { z31.d }, p7, [z30.d]
        st1d { z31.d }, p7, [z30.d, #64]
        st1d { z31.d }, p7, [z30.d, #128]
        winic_loop_count kernel_single
        winic_function_end
