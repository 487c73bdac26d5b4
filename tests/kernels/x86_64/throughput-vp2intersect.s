# throughput of VP2INTERSECTDZrr; 18 instances or passes
        winic_setup kernel
        vmovups zmm14, zmmword ptr [rip + winic_data + 128]
        vmovups zmm15, zmmword ptr [rip + winic_data + 192]
        winic_setup_end
        winic_function kernel_single, kernel
        vp2intersectd k0, zmm15, zmm14
        vp2intersectd k2, zmm15, zmm14
        vp2intersectd k4, zmm15, zmm14
        vp2intersectd k6, zmm15, zmm14
        vp2intersectd k0, zmm15, zmm14
        vp2intersectd k2, zmm15, zmm14
        vp2intersectd k4, zmm15, zmm14
        vp2intersectd k6, zmm15, zmm14
        vp2intersectd k0, zmm15, zmm14
        vp2intersectd k2, zmm15, zmm14
        vp2intersectd k4, zmm15, zmm14
        vp2intersectd k6, zmm15, zmm14
        vp2intersectd k0, zmm15, zmm14
        vp2intersectd k2, zmm15, zmm14
        vp2intersectd k4, zmm15, zmm14
        vp2intersectd k6, zmm15, zmm14
        vp2intersectd k0, zmm15, zmm14
        vp2intersectd k2, zmm15, zmm14
        winic_loop_count kernel_single
        vzeroupper
        winic_function_end
