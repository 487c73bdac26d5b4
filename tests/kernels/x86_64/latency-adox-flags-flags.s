# latency of ADOX64rr:EFLAGS>EFLAGS, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        movabs rbp, 0x1c003c003d103c49
        movabs rbx, 0x1c003c003d103c59
        movabs r12, 0x1c003c003d103c6b
        movabs r13, 0x1c003c003d103c6d
        movabs r14, 0x1c003c003d103c6f
        winic_setup_end
        winic_function kernel_single, kernel
        adox rbp, rbx
        adox r13, rbx
        adox r12, rbx
        adox r14, rbx
        adox rbp, rbx
        adox r13, rbx
        adox r12, rbx
        adox r14, rbx
        adox rbp, rbx
        adox r13, rbx
        adox r12, rbx
        adox r14, rbx
        winic_loop_flagless kernel_single
        winic_function_end
