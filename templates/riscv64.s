# winic's template for RV64GC and its extensions: what stands in front of all kernels of a
# shared object. A kernel is two or three functions `void f(uint64_t loop_count)` built from the
# macros below:
#
#     winic_init NAME           the region gets its contents (a function that is called before the others, untimed)
#     ...
#     winic_init_end
#     winic_setup NAME          registers get their values (called by the functions)
#     ...
#     winic_setup_end
#     winic_function NAME_single, NAME
#         body
#     winic_loop_LOOP NAME_single
#     winic_function_end
#
# The functions keep the standard calling convention (lp64d) whatever the body does to registers.
# s11 counts the loop, and is the return address of the setup, which writes every other register;
# sp is the stack, gp and tp belong to the process; everything else belongs to the body.
#
# Nothing here is compressed, so that an instruction has the bytes that it reads as.

        .option norvc

# What kernels may read and write, between guards that the runner makes inaccessible.
        .section .bss.winic, "aw", @nobits
        .globl winic_guard_low, winic_guard_low_end, winic_guard_high, winic_guard_high_end
        .balign 4096
winic_guard_low:
        .zero 65536
winic_guard_low_end:
winic_region:
        .zero 8192
winic_guard_high:
        .zero 65536
winic_guard_high_end:

        .section .data.winic, "aw", @progbits
# An ordinary number as fp128; narrower ones are moved from general registers.
        .balign 16
winic_quad:
        .quad 0x3d173e553c9b3d6d, 0x3fff3c9b3d6d3e55

# The address of a kernel's buffer, which the device puts here, and how many bytes its pointers came in
# earlier calls. Kernels find it by a name that no other object can define.
        .globl winic_buffer
        .balign 16
winic_buffer:
winic_buffer_cell:
        .quad 0
winic_walked:
        .quad 0

        .text

# Fills the region in front of a timed call, and then does what winic_phase does with the argument, which
# A0 keeps.
        .macro winic_init kernel
        .globl \kernel\()_init
        .type \kernel\()_init, @function
        .balign 16
        .option push
        .option arch, rv64gv
\kernel\()_init:
        .endm

        .macro winic_init_end
        tail winic_phase_entry
        .option pop
        .endm

# A setup is for any core that has the registers: the assembler, which is told of all extensions,
# would make big numbers with instructions of the cryptography extensions.
        .macro winic_setup kernel
        .balign 16
        .option push
        .option arch, rv64gv
\kernel\()_setup:
        .endm

        .macro winic_setup_end
        jr s11
        .option pop
        .endm

        .macro winic_function function, kernel
        .globl \function
        .type \function, @function
        .balign 64
\function:
        addi sp, sp, -224
        sd ra, 0(sp)
        sd s0, 8(sp)
        sd s1, 16(sp)
        sd s2, 24(sp)
        sd s3, 32(sp)
        sd s4, 40(sp)
        sd s5, 48(sp)
        sd s6, 56(sp)
        sd s7, 64(sp)
        sd s8, 72(sp)
        sd s9, 80(sp)
        sd s10, 88(sp)
        sd s11, 96(sp)
        fsd fs0, 104(sp)
        fsd fs1, 112(sp)
        fsd fs2, 120(sp)
        fsd fs3, 128(sp)
        fsd fs4, 136(sp)
        fsd fs5, 144(sp)
        fsd fs6, 152(sp)
        fsd fs7, 160(sp)
        fsd fs8, 168(sp)
        fsd fs9, 176(sp)
        fsd fs10, 184(sp)
        fsd fs11, 192(sp)
        sd a0, 200(sp)
        jal s11, \kernel\()_setup
        ld s11, 200(sp)
        .balign 64
\function\()_loop:
        .endm

# Ends the loop; a conditional branch alone reaches only 4 KiB back.
        .macro winic_loop_count function
        addi s11, s11, -1
        beqz s11, \function\()_done
        j \function\()_loop
\function\()_done:
        .endm

        .macro winic_function_end
        ld ra, 0(sp)
        ld s0, 8(sp)
        ld s1, 16(sp)
        ld s2, 24(sp)
        ld s3, 32(sp)
        ld s4, 40(sp)
        ld s5, 48(sp)
        ld s6, 56(sp)
        ld s7, 64(sp)
        ld s8, 72(sp)
        ld s9, 80(sp)
        ld s10, 88(sp)
        ld s11, 96(sp)
        fld fs0, 104(sp)
        fld fs1, 112(sp)
        fld fs2, 120(sp)
        fld fs3, 128(sp)
        fld fs4, 136(sp)
        fld fs5, 144(sp)
        fld fs6, 152(sp)
        fld fs7, 160(sp)
        fld fs8, 168(sp)
        fld fs9, 176(sp)
        fld fs10, 184(sp)
        fld fs11, 192(sp)
        addi sp, sp, 224
        ret
        .endm

# Chains of known duration, 64 dependent instructions an iteration, and the same twice. They go
# round four registers: some cores wait before they write one again. They begin with a large
# number: some multipliers stop early at small ones.
        .macro winic_chain name, count, operation
        .globl \name
        .type \name, @function
        .balign 64
\name:
        mv a5, a0
        .option push
        .option arch, rv64g
        li a0, 0x1c003c003d103c41
        .option pop
        li a1, 5
        .balign 64
\name\()_loop:
        .rept \count
        \operation a2, a0, a1
        \operation a3, a2, a1
        \operation a4, a3, a1
        \operation a0, a4, a1
        .endr
        addi a5, a5, -1
        bnez a5, \name\()_loop
        ret
        .endm

# Nothing but slots of the front end: who else uses the core takes some of them.
        .globl winic_sentinel
        .type winic_sentinel, @function
        .balign 64
winic_sentinel:
winic_sentinel_loop:
        .rept 480
        nop
        .endr
        addi a0, a0, -1
        bnez a0, winic_sentinel_loop
        ret

        .macro winic_reference name, operation
        winic_chain winic_reference_\name, 16, \operation
        winic_chain winic_reference_\name\()_twice, 32, \operation
        .endm

        winic_reference add, add
        winic_reference logic, xor
        winic_reference shift, sll
        winic_reference multiply, mul

# So many operations that leave the choice of ports in another phase.
        .globl winic_phase
        .type winic_phase, @function
        .balign 64
winic_phase:
winic_phase_entry:
        beqz a0, winic_phase_done
winic_phase_loop:
        fsgnj.d ft0, ft0, ft0
        fmv.d.x ft1, a0
        add a1, a1, a2
        addi a0, a0, -1
        bnez a0, winic_phase_loop
winic_phase_done:
        ret
