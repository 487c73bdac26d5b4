# a walk of 2 pointers through 65536 bytes; 128 instances or passes
        winic_setup kernel
        movabs rax, 0x1c003c003d100305
        movabs rbp, 0x1c003c003d103c49
        movabs rcx, 0x1c003c003d103c05
        movabs rdi, 0x1c003c003d103c7f
        movabs rdx, 0x5
        movabs rsi, 0x1c003c003d103c5d
        movabs r12, 0x1c003c003d103c6b
        movabs r13, 0x1c003c003d103c6d
        mov r8, qword ptr [rip + winic_buffer_cell]
        mov r9, qword ptr [rip + winic_walked]
        movabs r14, 0x0
        add r14, r8
        add r14, r9
        movabs rbx, 0x4000
        add rbx, r8
        add rbx, r9
        movabs r11, 0x8000
        add r11, r8
        add r11, r9
        movabs r10, 0xc000
        add r10, r8
        add r10, r9
        movabs r9, 0x4000
        add r9, r8
        movabs r8, 0x4000
        winic_setup_end
        winic_function kernel_single, kernel
        mov rax, qword ptr [r14]
        mov qword ptr [r11], rax
        mov rcx, qword ptr [rbx]
        mov qword ptr [r10], rcx
        mov rdx, qword ptr [r14 + 8]
        mov qword ptr [r11 + 8], rdx
        mov rsi, qword ptr [rbx + 8]
        mov qword ptr [r10 + 8], rsi
        mov rdi, qword ptr [r14 + 16]
        mov qword ptr [r11 + 16], rdi
        mov r12, qword ptr [rbx + 16]
        mov qword ptr [r10 + 16], r12
        mov r13, qword ptr [r14 + 24]
        mov qword ptr [r11 + 24], r13
        mov rbp, qword ptr [rbx + 24]
        mov qword ptr [r10 + 24], rbp
        mov rax, qword ptr [r14 + 32]
        mov qword ptr [r11 + 32], rax
        mov rcx, qword ptr [rbx + 32]
        mov qword ptr [r10 + 32], rcx
        mov rdx, qword ptr [r14 + 40]
        mov qword ptr [r11 + 40], rdx
        mov rsi, qword ptr [rbx + 40]
        mov qword ptr [r10 + 40], rsi
        mov rdi, qword ptr [r14 + 48]
        mov qword ptr [r11 + 48], rdi
        mov r12, qword ptr [rbx + 48]
        mov qword ptr [r10 + 48], r12
        mov r13, qword ptr [r14 + 56]
        mov qword ptr [r11 + 56], r13
        mov rbp, qword ptr [rbx + 56]
        mov qword ptr [r10 + 56], rbp
        mov rax, qword ptr [r14 + 64]
        mov qword ptr [r11 + 64], rax
        mov rcx, qword ptr [rbx + 64]
        mov qword ptr [r10 + 64], rcx
        mov rdx, qword ptr [r14 + 72]
        mov qword ptr [r11 + 72], rdx
        mov rsi, qword ptr [rbx + 72]
        mov qword ptr [r10 + 72], rsi
        mov rdi, qword ptr [r14 + 80]
        mov qword ptr [r11 + 80], rdi
        mov r12, qword ptr [rbx + 80]
        mov qword ptr [r10 + 80], r12
        mov r13, qword ptr [r14 + 88]
        mov qword ptr [r11 + 88], r13
        mov rbp, qword ptr [rbx + 88]
        mov qword ptr [r10 + 88], rbp
        mov rax, qword ptr [r14 + 96]
        mov qword ptr [r11 + 96], rax
        mov rcx, qword ptr [rbx + 96]
        mov qword ptr [r10 + 96], rcx
        mov rdx, qword ptr [r14 + 104]
        mov qword ptr [r11 + 104], rdx
        mov rsi, qword ptr [rbx + 104]
        mov qword ptr [r10 + 104], rsi
        mov rdi, qword ptr [r14 + 112]
        mov qword ptr [r11 + 112], rdi
        mov r12, qword ptr [rbx + 112]
        mov qword ptr [r10 + 112], r12
        mov r13, qword ptr [r14 + 120]
        mov qword ptr [r11 + 120], r13
        mov rbp, qword ptr [rbx + 120]
        mov qword ptr [r10 + 120], rbp
        mov rax, qword ptr [r14 + 128]
        mov qword ptr [r11 + 128], rax
        mov rcx, qword ptr [rbx + 128]
        mov qword ptr [r10 + 128], rcx
        mov rdx, qword ptr [r14 + 136]
        mov qword ptr [r11 + 136], rdx
        mov rsi, qword ptr [rbx + 136]
        mov qword ptr [r10 + 136], rsi
        mov rdi, qword ptr [r14 + 144]
        mov qword ptr [r11 + 144], rdi
        mov r12, qword ptr [rbx + 144]
        mov qword ptr [r10 + 144], r12
        mov r13, qword ptr [r14 + 152]
        mov qword ptr [r11 + 152], r13
        mov rbp, qword ptr [rbx + 152]
        mov qword ptr [r10 + 152], rbp
        mov rax, qword ptr [r14 + 160]
        mov qword ptr [r11 + 160], rax
        mov rcx, qword ptr [rbx + 160]
        mov qword ptr [r10 + 160], rcx
        mov rdx, qword ptr [r14 + 168]
        mov qword ptr [r11 + 168], rdx
        mov rsi, qword ptr [rbx + 168]
        mov qword ptr [r10 + 168], rsi
        mov rdi, qword ptr [r14 + 176]
        mov qword ptr [r11 + 176], rdi
        mov r12, qword ptr [rbx + 176]
        mov qword ptr [r10 + 176], r12
        mov r13, qword ptr [r14 + 184]
        mov qword ptr [r11 + 184], r13
        mov rbp, qword ptr [rbx + 184]
        mov qword ptr [r10 + 184], rbp
        mov rax, qword ptr [r14 + 192]
        mov qword ptr [r11 + 192], rax
        mov rcx, qword ptr [rbx + 192]
        mov qword ptr [r10 + 192], rcx
        mov rdx, qword ptr [r14 + 200]
        mov qword ptr [r11 + 200], rdx
        mov rsi, qword ptr [rbx + 200]
        mov qword ptr [r10 + 200], rsi
        mov rdi, qword ptr [r14 + 208]
        mov qword ptr [r11 + 208], rdi
        mov r12, qword ptr [rbx + 208]
        mov qword ptr [r10 + 208], r12
        mov r13, qword ptr [r14 + 216]
        mov qword ptr [r11 + 216], r13
        mov rbp, qword ptr [rbx + 216]
        mov qword ptr [r10 + 216], rbp
        mov rax, qword ptr [r14 + 224]
        mov qword ptr [r11 + 224], rax
        mov rcx, qword ptr [rbx + 224]
        mov qword ptr [r10 + 224], rcx
        mov rdx, qword ptr [r14 + 232]
        mov qword ptr [r11 + 232], rdx
        mov rsi, qword ptr [rbx + 232]
        mov qword ptr [r10 + 232], rsi
        mov rdi, qword ptr [r14 + 240]
        mov qword ptr [r11 + 240], rdi
        mov r12, qword ptr [rbx + 240]
        mov qword ptr [r10 + 240], r12
        mov r13, qword ptr [r14 + 248]
        mov qword ptr [r11 + 248], r13
        mov rbp, qword ptr [rbx + 248]
        mov qword ptr [r10 + 248], rbp
        add r14, 256
        add rbx, 256
        add r11, 256
        add r10, 256
        cmp r14, r9
        jb 8f
        sub r14, r8
        sub rbx, r8
        sub r11, r8
        sub r10, r8
        8:
        winic_loop_count kernel_single
        sub r14, qword ptr [rip + winic_buffer_cell]
        movabs r8, 0x0
        sub r14, r8
        mov qword ptr [rip + winic_walked], r14
        winic_function_end
