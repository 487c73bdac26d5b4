# a walk of 1 pointers through 65536 bytes; 128 instances or passes
        winic_setup kernel
        li x5, 0x1c003c003d103c4b
        li x6, 0x1c003c003d103c4d
        li x7, 0x1c003c003d103c4f
        li x8, 0x1c003c003d103c51
        li x9, 0x1c003c003d103c53
        li x10, 0x1c003c003d103c55
        li x11, 0x1c003c003d103c57
        li x12, 0x1c003c003d103c59
        li x13, 0x1c003c003d103c5b
        li x14, 0x1c003c003d103c5d
        li x15, 0x1c003c003d103c5f
        li x16, 0x1c003c003d103c61
        li x17, 0x1c003c003d103c63
        li x18, 0x1c003c003d103c65
        li x19, 0x1c003c003d103c67
        li x20, 0x1c003c003d103c69
        li x21, 0x1c003c003d103c6b
        li x22, 0x1c003c003d103c6d
        li x23, 0x1c003c003d103c6f
        li x28, 0x1c003c003d103c79
        li x29, 0x1c003c003d103c7b
        li x30, 0x1c003c003d103c7d
        li x31, 0x1c003c003d103c7f
        lla x1, winic_buffer_cell
        ld x24, 0(x1)
        ld x25, 8(x1)
        li x1, 0x0
        add x1, x1, x24
        add x1, x1, x25
        li x26, 0x8000
        add x26, x26, x24
        add x26, x26, x25
        li x25, 0x8000
        add x25, x25, x24
        li x24, 0x8000
        winic_setup_end
        winic_function kernel_single, kernel
        ld a0, 0(ra)
        sd a0, 0(s10)
        ld a1, 8(ra)
        sd a1, 8(s10)
        ld a2, 16(ra)
        sd a2, 16(s10)
        ld a3, 24(ra)
        sd a3, 24(s10)
        ld a4, 32(ra)
        sd a4, 32(s10)
        ld a5, 40(ra)
        sd a5, 40(s10)
        ld a6, 48(ra)
        sd a6, 48(s10)
        ld a7, 56(ra)
        sd a7, 56(s10)
        ld t0, 64(ra)
        sd t0, 64(s10)
        ld t1, 72(ra)
        sd t1, 72(s10)
        ld t2, 80(ra)
        sd t2, 80(s10)
        ld t3, 88(ra)
        sd t3, 88(s10)
        ld t4, 96(ra)
        sd t4, 96(s10)
        ld t5, 104(ra)
        sd t5, 104(s10)
        ld t6, 112(ra)
        sd t6, 112(s10)
        ld s0, 120(ra)
        sd s0, 120(s10)
        ld s1, 128(ra)
        sd s1, 128(s10)
        ld s2, 136(ra)
        sd s2, 136(s10)
        ld s3, 144(ra)
        sd s3, 144(s10)
        ld s4, 152(ra)
        sd s4, 152(s10)
        ld s5, 160(ra)
        sd s5, 160(s10)
        ld s6, 168(ra)
        sd s6, 168(s10)
        ld s7, 176(ra)
        sd s7, 176(s10)
        ld a0, 184(ra)
        sd a0, 184(s10)
        ld a1, 192(ra)
        sd a1, 192(s10)
        ld a2, 200(ra)
        sd a2, 200(s10)
        ld a3, 208(ra)
        sd a3, 208(s10)
        ld a4, 216(ra)
        sd a4, 216(s10)
        ld a5, 224(ra)
        sd a5, 224(s10)
        ld a6, 232(ra)
        sd a6, 232(s10)
        ld a7, 240(ra)
        sd a7, 240(s10)
        ld t0, 248(ra)
        sd t0, 248(s10)
        ld t1, 256(ra)
        sd t1, 256(s10)
        ld t2, 264(ra)
        sd t2, 264(s10)
        ld t3, 272(ra)
        sd t3, 272(s10)
        ld t4, 280(ra)
        sd t4, 280(s10)
        ld t5, 288(ra)
        sd t5, 288(s10)
        ld t6, 296(ra)
        sd t6, 296(s10)
        ld s0, 304(ra)
        sd s0, 304(s10)
        ld s1, 312(ra)
        sd s1, 312(s10)
        ld s2, 320(ra)
        sd s2, 320(s10)
        ld s3, 328(ra)
        sd s3, 328(s10)
        ld s4, 336(ra)
        sd s4, 336(s10)
        ld s5, 344(ra)
        sd s5, 344(s10)
        ld s6, 352(ra)
        sd s6, 352(s10)
        ld s7, 360(ra)
        sd s7, 360(s10)
        ld a0, 368(ra)
        sd a0, 368(s10)
        ld a1, 376(ra)
        sd a1, 376(s10)
        ld a2, 384(ra)
        sd a2, 384(s10)
        ld a3, 392(ra)
        sd a3, 392(s10)
        ld a4, 400(ra)
        sd a4, 400(s10)
        ld a5, 408(ra)
        sd a5, 408(s10)
        ld a6, 416(ra)
        sd a6, 416(s10)
        ld a7, 424(ra)
        sd a7, 424(s10)
        ld t0, 432(ra)
        sd t0, 432(s10)
        ld t1, 440(ra)
        sd t1, 440(s10)
        ld t2, 448(ra)
        sd t2, 448(s10)
        ld t3, 456(ra)
        sd t3, 456(s10)
        ld t4, 464(ra)
        sd t4, 464(s10)
        ld t5, 472(ra)
        sd t5, 472(s10)
        ld t6, 480(ra)
        sd t6, 480(s10)
        ld s0, 488(ra)
        sd s0, 488(s10)
        ld s1, 496(ra)
        sd s1, 496(s10)
        ld s2, 504(ra)
        sd s2, 504(s10)
        addi x1, x1, 512
        addi x26, x26, 512
        bltu x1, x25, 8f
        sub x1, x1, x24
        sub x26, x26, x24
        8:
        winic_loop_count kernel_single
        lla x24, winic_buffer_cell
        ld x25, 0(x24)
        sub x1, x1, x25
        li x25, 0x0
        sub x1, x1, x25
        sd x1, 8(x24)
        winic_function_end
