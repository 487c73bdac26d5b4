# latency of C_SUB:2>0, Rotating, 0 fillers; 12 instances or passes
        winic_setup kernel
        li x10, 0x1c003c003d103c55
        li x11, 0x1c003c003d103c57
        li x12, 0x1c003c003d103c59
        li x13, 0x1c003c003d103c5b
        winic_setup_end
        winic_function kernel_single, kernel
        .byte 0x15, 0x8d  /* sub a0, a0, a3 */
        .byte 0x89, 0x8d  /* sub a1, a1, a0 */
        .byte 0x0d, 0x8e  /* sub a2, a2, a1 */
        .byte 0x91, 0x8e  /* sub a3, a3, a2 */
        .byte 0x15, 0x8d  /* sub a0, a0, a3 */
        .byte 0x89, 0x8d  /* sub a1, a1, a0 */
        .byte 0x0d, 0x8e  /* sub a2, a2, a1 */
        .byte 0x91, 0x8e  /* sub a3, a3, a2 */
        .byte 0x15, 0x8d  /* sub a0, a0, a3 */
        .byte 0x89, 0x8d  /* sub a1, a1, a0 */
        .byte 0x0d, 0x8e  /* sub a2, a2, a1 */
        .byte 0x91, 0x8e  /* sub a3, a3, a2 */
        winic_loop_count kernel_single
        winic_function_end
