# throughput of C_SUB; 18 instances or passes
        winic_setup kernel
        li x8, 0x1c003c003d103c51
        li x9, 0x1c003c003d103c53
        li x10, 0x1c003c003d103c55
        li x11, 0x1c003c003d103c57
        li x12, 0x1c003c003d103c59
        li x13, 0x1c003c003d103c5b
        li x14, 0x1c003c003d103c5d
        li x15, 0x1c003c003d103c5f
        winic_setup_end
        winic_function kernel_single, kernel
        .byte 0x05, 0x8d  /* sub a0, a0, s1 */
        .byte 0x85, 0x8d  /* sub a1, a1, s1 */
        .byte 0x05, 0x8e  /* sub a2, a2, s1 */
        .byte 0x85, 0x8e  /* sub a3, a3, s1 */
        .byte 0x05, 0x8f  /* sub a4, a4, s1 */
        .byte 0x85, 0x8f  /* sub a5, a5, s1 */
        .byte 0x05, 0x8c  /* sub s0, s0, s1 */
        .byte 0x05, 0x8d  /* sub a0, a0, s1 */
        .byte 0x85, 0x8d  /* sub a1, a1, s1 */
        .byte 0x05, 0x8e  /* sub a2, a2, s1 */
        .byte 0x85, 0x8e  /* sub a3, a3, s1 */
        .byte 0x05, 0x8f  /* sub a4, a4, s1 */
        .byte 0x85, 0x8f  /* sub a5, a5, s1 */
        .byte 0x05, 0x8c  /* sub s0, s0, s1 */
        .byte 0x05, 0x8d  /* sub a0, a0, s1 */
        .byte 0x85, 0x8d  /* sub a1, a1, s1 */
        .byte 0x05, 0x8e  /* sub a2, a2, s1 */
        .byte 0x85, 0x8e  /* sub a3, a3, s1 */
        winic_loop_count kernel_single
        winic_function_end
