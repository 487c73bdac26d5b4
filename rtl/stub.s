# The bare-metal program of the simulated core: it calls functions in user mode, as often as
# the bench wants, and says how many cycles each call took.
#
# The core's boot ROM jumps to 0x1000_0000, where the bench shows the beginning of memory.
# All else is the mailbox behind it (machine.cpp answers):
#
#     load   0    the next function to call; the bench lets time stand still until it knows
#     load   8    its argument
#     store 16    the function returned: cycles
#     store 24    it did not: mcause

        .option norvc
        .equ    MAILBOX_PAGE, 0x10001
        .equ    FUNCTION, 0
        .equ    ARGUMENT, 8
        .equ    RETURNED, 16
        .equ    TRAPPED, 24

        .text
        .globl  _start
_start: li      t0, 1                   # go on in memory, which is cached
        slli    t0, t0, 31
        jr      12(t0)

        lla     t0, trap
        csrw    mtvec, t0
        csrw    mie, zero
        csrw    medeleg, zero
        csrw    satp, zero
        li      t0, 7                   # user mode may read the counters
        csrw    mcounteren, t0
        csrw    scounteren, t0
        li      t0, 0x201fffff          # and use 16 MiB from 0x8000_0000 on, nothing else
        csrw    pmpaddr0, t0
        li      t0, 0x1f
        csrw    pmpcfg0, t0
        li      t0, 3 << 13             # floating point on; mret goes to user mode
        csrw    mstatus, t0
        csrw    fcsr, zero

next:   lla     t0, call
        csrw    mepc, t0
        lla     sp, stack
        lui     t0, MAILBOX_PAGE
        ld      a1, FUNCTION(t0)
        ld      a0, ARGUMENT(t0)
        mret

# Nothing is predicted here but what the function itself has shown: the bench makes the core forget
# the rest before each call.
call:   rdcycle s0
        jalr    a1
        rdcycle s1
        sub     s1, s1, s0
return: ecall

        .balign 4
trap:   lui     t0, MAILBOX_PAGE
        csrr    t1, mepc
        lla     t2, return
        bne     t1, t2, 1f
        sd      s1, RETURNED(t0)
        j       next
1:      csrr    t1, mcause
        sd      t1, TRAPPED(t0)
        j       next

        .bss
        .balign 16
        .space  65536
stack:
