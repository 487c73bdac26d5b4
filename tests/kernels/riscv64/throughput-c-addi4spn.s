# throughput of C_ADDI4SPN; 18 instances or passes
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
        .byte 0x08, 0x08  /* addi a0, sp, 16 */
        .byte 0x0c, 0x08  /* addi a1, sp, 16 */
        .byte 0x10, 0x08  /* addi a2, sp, 16 */
        .byte 0x14, 0x08  /* addi a3, sp, 16 */
        .byte 0x18, 0x08  /* addi a4, sp, 16 */
        .byte 0x1c, 0x08  /* addi a5, sp, 16 */
        .byte 0x00, 0x08  /* addi s0, sp, 16 */
        .byte 0x04, 0x08  /* addi s1, sp, 16 */
        .byte 0x08, 0x08  /* addi a0, sp, 16 */
        .byte 0x0c, 0x08  /* addi a1, sp, 16 */
        .byte 0x10, 0x08  /* addi a2, sp, 16 */
        .byte 0x14, 0x08  /* addi a3, sp, 16 */
        .byte 0x18, 0x08  /* addi a4, sp, 16 */
        .byte 0x1c, 0x08  /* addi a5, sp, 16 */
        .byte 0x00, 0x08  /* addi s0, sp, 16 */
        .byte 0x04, 0x08  /* addi s1, sp, 16 */
        .byte 0x08, 0x08  /* addi a0, sp, 16 */
        .byte 0x0c, 0x08  /* addi a1, sp, 16 */
        winic_loop_count kernel_single
        winic_function_end
