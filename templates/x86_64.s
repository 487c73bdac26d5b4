# winic's template for x86-64: what stands in front of all kernels of a shared object.
# A kernel is two or three functions `void f(uint64_t loop_count)` built from the macros below:
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
# The functions keep the System V calling convention whatever the body does to registers.
# R15 counts the loop; RSP points into the middle of the region; everything else belongs to the body.

        .intel_syntax noprefix

# What kernels may read and write, between guards that the runner makes inaccessible.
        .section .bss.winic, "aw", @nobits
        .globl winic_guard_low, winic_guard_low_end, winic_guard_high, winic_guard_high_end
        .balign 4096
winic_guard_low:
        .zero 65536
winic_guard_low_end:
winic_region:
        .zero 8192
# The stack of the process, while a kernel has its own: where no kernel writes, on a page that is there
# before a kernel is timed.
        .set winic_stack, winic_region + 8184
winic_guard_high:
        .zero 65536
winic_guard_high_end:

        .section .data.winic, "aw", @progbits
        .balign 64
# Rows of vector contents: each a normal number as fp16, bf16, fp32 and fp64, none of them
# 0 or 1, and different from row to row so that quotients are not trivial.
winic_data:
        .fill 32, 2, 0x3d17
        .fill 32, 2, 0x3e55
        .fill 32, 2, 0x3c9b
        .fill 32, 2, 0x3d6d
        .fill 32, 2, 0
# A configuration of AMX (palette 1): all eight tiles have 16 rows of 64 bytes.
winic_tiles:
        .byte 1, 0
        .zero 14
        .rept 8
        .short 64
        .endr
        .zero 16
        .fill 8, 1, 16
        .zero 8
winic_x87_value:
        .double 1.2345678901234567
        .double 0.8765432109876543
# The thread pointer of the process, while a kernel overwrites it.
winic_thread_pointer:
        .quad 0
# Denormals are flushed (FTZ, DAZ), all exceptions masked, rounding to nearest.
winic_mxcsr:
        .long 0x9fc0

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
# RSI keeps.
        .macro winic_init kernel
        .globl \kernel\()_init
        .type \kernel\()_init, @function
        .balign 16
\kernel\()_init:
        mov rsi, rdi
        .endm

        .macro winic_init_end
        mov rdi, rsi
        jmp winic_phase_entry
        .endm

        .macro winic_setup kernel
        .balign 16
\kernel\()_setup:
        .endm

        .macro winic_setup_end
        ret
        .endm

        .macro winic_function function, kernel
        .globl \function
        .type \function, @function
        .balign 64
\function:
        push rbx
        push rbp
        push r12
        push r13
        push r14
        push r15
        sub rsp, 24
        stmxcsr dword ptr [rsp]
        fnstcw word ptr [rsp + 4]
        ldmxcsr dword ptr [rip + winic_mxcsr]
        mov qword ptr [rsp + 8], rdi
        call \kernel\()_setup
        mov r15, qword ptr [rsp + 8]
        mov qword ptr [rip + winic_stack], rsp
        lea rsp, [rip + winic_region + 2048]
        .balign 64
\function\()_loop:
        .endm

# Ends the loop; writes all status flags but CF.
        .macro winic_loop_count function
        dec r15
        jnz \function\()_loop
        .endm

# Ends the loop without touching flags; RCX belongs to the loop.
        .macro winic_loop_flagless function
        lea r15, [r15 - 1]
        mov rcx, r15
        jrcxz \function\()_done
        jmp \function\()_loop
\function\()_done:
        .endm

# Ends the loop without touching flags and gives RCX back its value, kept in R14.
        .macro winic_loop_flagless_rcx function
        lea r15, [r15 - 1]
        mov rcx, r15
        jrcxz \function\()_done
        mov rcx, r14
        jmp \function\()_loop
\function\()_done:
        .endm

        .macro winic_function_end
        mov rsp, qword ptr [rip + winic_stack]
        cld
        emms
        ldmxcsr dword ptr [rsp]
        fldcw word ptr [rsp + 4]
        add rsp, 24
        pop r15
        pop r14
        pop r13
        pop r12
        pop rbp
        pop rbx
        ret
        .endm

# Six of the eight x87 registers hold numbers: two stay free for pushes.
winic_fill_x87:
        fninit
        .rept 3
        fld qword ptr [rip + winic_x87_value]
        fld qword ptr [rip + winic_x87_value + 8]
        .endr
        ret

# Chains of known duration, 64 dependent instructions an iteration, and the same twice.
        .macro winic_chain name, count, line:vararg
        .globl \name
        .type \name, @function
        .balign 64
\name:
        mov eax, 3
        mov ecx, 5
        .balign 64
\name\()_loop:
        .rept \count
        \line
        .endr
        dec rdi
        jnz \name\()_loop
        ret
        .endm

        .macro winic_reference name, line:vararg
        winic_chain winic_reference_\name, 64, \line
        winic_chain winic_reference_\name\()_twice, 128, \line
        .endm

# Nothing but slots of the front end: who else uses the core takes some of them.
        winic_chain winic_sentinel, 480, nop

        winic_reference add, add rax, rcx
        winic_reference logic, xor rax, rcx
        winic_reference rotate, ror rax, 7
        winic_reference multiply, imul rax, rcx

# So many operations that leave the choice of ports in another phase.
        .globl winic_phase
        .type winic_phase, @function
        .balign 64
winic_phase:
winic_phase_entry:
        test rdi, rdi
        jz winic_phase_done
winic_phase_loop:
        paddd xmm0, xmm0
        movq xmm1, rdi
        add rax, rcx
        dec rdi
        jnz winic_phase_loop
winic_phase_done:
        ret
