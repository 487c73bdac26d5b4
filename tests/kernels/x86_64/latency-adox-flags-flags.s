# latency of ADOX64rr:EFLAGS>EFLAGS, Same, 0 fillers; 12 instances or passes
        winic_setup kernel
        movabs rbp, 0x1c003c003d103c49
        movabs r12, 0x1c003c003d103c6b
        movabs r13, 0x1c003c003d103c6d
        movabs r14, 0x1c003c003d103c6f
        winic_setup_end
        winic_function kernel_single, kernel
        adox rbp, r14
        adox r13, r14
        adox r12, r14
        adox rbp, r14
        adox r13, r14
        adox r12, r14
        adox rbp, r14
        adox r13, r14
        adox r12, r14
        adox rbp, r14
        adox r13, r14
        adox r12, r14
        winic_loop_flagless kernel_single
        winic_function_end
