// winic's template for AArch64: what stands in front of all kernels of a shared object.
// A kernel is two or three functions `void f(uint64_t loop_count)` built from the macros below:
//
//     winic_init NAME           the region gets its contents (a function that is called before the others, untimed)
//     ...
//     winic_init_end
//     winic_setup NAME          registers get their values (called by the functions)
//     ...
//     winic_setup_end
//     winic_function NAME_single, NAME
//         body
//     winic_loop_LOOP NAME_single
//     winic_function_end
//
// The functions keep the procedure call standard whatever the body does to registers. X28
// counts the loop and points to the data while the setup runs; X18 belongs to the platform,
// SP to the stack; everything else belongs to the body. What the standard wants back lies on
// the stack, the low halves of V8 to V15 too, so that a setup may start streaming mode, which
// zeroes all of V, Z and P, if its teardown stops it.

// Setups enter streaming mode where a kernel is of that, whatever CPU the code is for: one without it faults.
        .arch_extension sme

// What kernels may read and write, between guards that the runner makes inaccessible.
        .section .bss.winic, "aw", %nobits
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

        .section .data.winic, "aw", %progbits
        .balign 64
winic_data:
// Rows of vector contents: each a normal number as fp16, bf16, fp32 and fp64, none of them
// 0 or 1, and different from row to row so that quotients are not trivial.
        .fill 8, 2, 0x3d17
        .fill 8, 2, 0x3e55
        .fill 8, 2, 0x3c9b
        .fill 8, 2, 0x3d6d
// Contents of X0 to X30: large, odd, each different.
winic_numbers:
        .set winic_number, 0
        .rept 31
        .quad 0x1c003c003d103c41 + 2 * winic_number
        .set winic_number, winic_number + 1
        .endr
// What registers X, Y and Z of Apple's AMX hold when a probe executes: numbers as bytes, integers and floating
// point, whose products are none of them zero.
        .balign 64
winic_amx_x:
        .fill 64, 1, 0x3e
winic_amx_y:
        .fill 64, 1, 0x3d
winic_amx_z:
        .zero 64

// The address of a kernel's buffer, which the device puts here, and how many bytes its pointers came in
// earlier calls. Kernels find it by a name that no other object can define.
        .globl winic_buffer
        .balign 16
winic_buffer:
winic_buffer_cell:
        .quad 0
winic_walked:
        .quad 0

        .text

// Fills the region in front of a timed call, and then does what winic_phase does with the argument, which
// X3 keeps.
        .macro winic_init kernel
        .globl \kernel\()_init
        .type \kernel\()_init, %function
        .balign 16
\kernel\()_init:
        mov x3, x0
        .endm

        .macro winic_init_end
        mov x0, x3
        b winic_phase_entry
        .endm

        .macro winic_setup kernel
        .balign 16
\kernel\()_setup:
        str x30, [sp, #176]
        adrp x28, winic_data
        add x28, x28, :lo12:winic_data
        .endm

        .macro winic_setup_end
        ldr x28, [sp, #176]
        ret x28
        .endm

// Denormals are flushed (FZ, FZ16), rounding is to nearest, nothing traps.
        .macro winic_function function, kernel
        .globl \function
        .type \function, %function
        .balign 64
\function:
        stp x29, x30, [sp, #-192]!
        stp x19, x20, [sp, #16]
        stp x21, x22, [sp, #32]
        stp x23, x24, [sp, #48]
        stp x25, x26, [sp, #64]
        stp x27, x28, [sp, #80]
        stp d8, d9, [sp, #96]
        stp d10, d11, [sp, #112]
        stp d12, d13, [sp, #128]
        stp d14, d15, [sp, #144]
        mrs x1, fpcr
        stp x0, x1, [sp, #160]
        mov w1, #0x01080000
        msr fpcr, x1
        bl \kernel\()_setup
        ldr x28, [sp, #160]
        .balign 64
\function\()_loop:
        .endm

// Ends the loop as compilers do; writes all of NZCV.
        .macro winic_loop_count function
        subs x28, x28, #1
        b.ne \function\()_loop
        .endm

// Ends the loop without touching NZCV.
        .macro winic_loop_flagless function
        sub x28, x28, #1
        cbnz x28, \function\()_loop
        .endm

        .macro winic_function_end
        ldr x1, [sp, #168]
        msr fpcr, x1
        ldp d14, d15, [sp, #144]
        ldp d12, d13, [sp, #128]
        ldp d10, d11, [sp, #112]
        ldp d8, d9, [sp, #96]
        ldp x27, x28, [sp, #80]
        ldp x25, x26, [sp, #64]
        ldp x23, x24, [sp, #48]
        ldp x21, x22, [sp, #32]
        ldp x19, x20, [sp, #16]
        ldp x29, x30, [sp], #192
        ret
        .endm

// Apple's AMX, which executes nothing that it does not have, and says nothing: `winic_amx OPERATION,
// REGISTER` is one of its words. Switching it on sets all its registers to zero.
        .macro winic_amx operation, register
        .inst 0x00201000 + (\operation << 5) + \register
        .endm

        .macro winic_amx_set
        nop
        nop
        nop
        .inst 0x00201220
        .endm

        .macro winic_amx_clr
        nop
        nop
        nop
        .inst 0x00201221
        .endm

// In X and Y (operations 0 and 1) stands afterwards what is not zero, of the one behind the other.
        .macro winic_amx_fill
        adrp x1, winic_amx_x
        add x1, x1, :lo12:winic_amx_x
        movz x2, #0x100, lsl #48
        mov x0, #8
8:      winic_amx 0, 1
        add x1, x1, #64
        winic_amx 1, 1
        sub x1, x1, #64
        add x1, x1, x2
        subs x0, x0, #1
        b.ne 8b
        .endm

// Stores so many registers of a pool (operations 2, 3 and 5: X, Y, Z) at a place in the region.
        .macro winic_amx_store operation, count, place
        adrp x1, winic_region + \place
        add x1, x1, :lo12:(winic_region + \place)
        movz x2, #64
        movk x2, #0x100, lsl #48
        mov x0, #\count
8:      winic_amx \operation, 1
        add x1, x1, x2
        subs x0, x0, #1
        b.ne 8b
        .endm

// Traps unless so many stored registers differ from 64 bytes where X8 has a bit, and are the same elsewhere.
        .macro winic_amx_check count, place, before
        adrp x1, winic_region + \place
        add x1, x1, :lo12:(winic_region + \place)
        adrp x2, \before
        add x2, x2, :lo12:\before
        mov x0, #0
        mov x3, #0
7:      mov x4, #0
        mov x5, #0
8:      ldr x6, [x1, x5]
        ldr x7, [x2, x5]
        eor x6, x6, x7
        orr x4, x4, x6
        add x5, x5, #8
        cmp x5, #64
        b.ne 8b
        cmp x4, #0
        cset x4, ne
        lsl x4, x4, x3
        orr x0, x0, x4
        add x1, x1, #64
        add x3, x3, #1
        cmp x3, #\count
        b.ne 7b
        cmp x0, x8
        b.eq 9f
        brk #1
9:
        .endm

// Chains of known duration, 64 dependent instructions an iteration, and the same twice.
        .macro winic_chain name, count, line:vararg
        .globl \name
        .type \name, %function
        .balign 64
\name:
        mov x1, #3
        mov x2, #5
        .balign 64
\name\()_loop:
        .rept \count
        \line
        .endr
        subs x0, x0, #1
        b.ne \name\()_loop
        ret
        .endm

        .macro winic_reference name, line:vararg
        winic_chain winic_reference_\name, 64, \line
        winic_chain winic_reference_\name\()_twice, 128, \line
        .endm

// Nothing but slots of the front end: who else uses the core takes some of them.
        winic_chain winic_sentinel, 480, nop

        winic_reference add, add x1, x1, x2
        winic_reference logic, eor x1, x1, x2
        winic_reference multiply, mul x1, x1, x2
        winic_reference multiply_add, madd x1, x1, x2, x2

# So many operations that leave the choice of ports in another phase.
        .globl winic_phase
        .type winic_phase, @function
        .balign 64
winic_phase:
winic_phase_entry:
        cbz x0, winic_phase_done
winic_phase_loop:
        add v0.4s, v0.4s, v0.4s
        fmov d1, x0
        add x1, x1, x2
        sub x0, x0, #1
        cbnz x0, winic_phase_loop
winic_phase_done:
        ret
