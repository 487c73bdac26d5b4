# Loads on RV64, for `winic MAN`: what one takes until its result is used as an address, and how
# many go by the cycle.
#
#   winic -m riscv64 -c CPU MAN -p loads-riscv64.s --funcName load_use -n 48
#   winic -m riscv64 -c CPU MAN -p loads-riscv64.s --funcName load_throughput -n 50

        .option norvc

# A cell that holds its own address: what is loaded from there leads there again.
        .data
        .balign 64
cell:   .quad cell

        .text

# 48 loads, each from where the one before says. The loop's own instructions stand between loads,
# where an in-order core waits anyway.
        .globl load_use
        .type load_use, @function
        .balign 64
load_use:
        lla a1, cell
1:
        .rept 47
        ld a1, 0(a1)
        .endr
        addi a0, a0, -1
        ld a1, 0(a1)
        bnez a0, 1b
        ret

# 48 loads that wait for nothing, and the loop's two instructions, which take their turn.
        .globl load_throughput
        .type load_throughput, @function
        .balign 64
load_throughput:
        lla a1, cell
1:
        .rept 12
        ld a2, 0(a1)
        ld a3, 0(a1)
        ld a4, 0(a1)
        ld a5, 0(a1)
        .endr
        addi a0, a0, -1
        bnez a0, 1b
        ret
