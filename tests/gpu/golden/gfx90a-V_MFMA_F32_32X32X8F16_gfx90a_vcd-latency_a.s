    .amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
    .amdhsa_code_object_version 5
    .text
    .globl winic_latency_a
    .p2align 8
    .type winic_latency_a,@function
winic_latency_a:
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    s_load_dwordx2 s[6:7], s[0:1], 0x8
    v_and_b32 v1, 0x3ff, v0
    s_getreg_b32 s12, hwreg(HW_REG_HW_ID)
    s_mov_b32 s17, 0
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v32, 0x0
    v_mov_b32 v33, 0x0
    v_mov_b32 v64, 0x0
    v_mov_b32 v65, 0x0
    v_mov_b32 v66, 0x0
    v_mov_b32 v67, 0x0
    v_mov_b32 v68, 0x0
    v_mov_b32 v69, 0x0
    v_mov_b32 v70, 0x0
    v_mov_b32 v71, 0x0
    v_mov_b32 v72, 0x0
    v_mov_b32 v73, 0x0
    v_mov_b32 v74, 0x0
    v_mov_b32 v75, 0x0
    v_mov_b32 v76, 0x0
    v_mov_b32 v77, 0x0
    v_mov_b32 v78, 0x0
    v_mov_b32 v79, 0x0
    v_mov_b32 v80, 0x0
    v_mov_b32 v81, 0x0
    v_mov_b32 v82, 0x0
    v_mov_b32 v83, 0x0
    v_mov_b32 v84, 0x0
    v_mov_b32 v85, 0x0
    v_mov_b32 v86, 0x0
    v_mov_b32 v87, 0x0
    v_mov_b32 v88, 0x0
    v_mov_b32 v89, 0x0
    v_mov_b32 v90, 0x0
    v_mov_b32 v91, 0x0
    v_mov_b32 v92, 0x0
    v_mov_b32 v93, 0x0
    v_mov_b32 v94, 0x0
    v_mov_b32 v95, 0x0
    v_mov_b32 v224, 0x3f800000
    v_mov_b32 v225, 0x3f800000
    v_mov_b32 v226, 0x3f800000
    v_mov_b32 v227, 0x3f800000
    v_mov_b32 v228, 0x3f800000
    v_mov_b32 v229, 0x3f800000
    v_mov_b32 v230, 0x3f800000
    v_mov_b32 v231, 0x3f800000
    v_mov_b32 v232, 0x3f800000
    v_mov_b32 v233, 0x3f800000
    v_mov_b32 v234, 0x3f800000
    v_mov_b32 v235, 0x3f800000
    v_mov_b32 v236, 0x3f800000
    v_mov_b32 v237, 0x3f800000
    v_mov_b32 v238, 0x3f800000
    v_mov_b32 v239, 0x3f800000
    s_nop 15
    s_nop 15
    s_memrealtime s[18:19]
    s_memtime s[8:9]
    s_waitcnt lgkmcnt(0)
    .p2align 6
.Lwinic_latency_a_loop:
    s_nop 15
    s_nop 2
    v_mfma_f32_32x32x8f16 v[64:79], v[80:81], v[32:33], v[224:239]
    s_nop 15
    s_nop 2
    v_mfma_f32_32x32x8f16 v[80:95], v[64:65], v[32:33], v[224:239]
    s_nop 15
    s_nop 2
    v_mfma_f32_32x32x8f16 v[64:79], v[80:81], v[32:33], v[224:239]
    s_nop 15
    s_nop 2
    v_mfma_f32_32x32x8f16 v[80:95], v[64:65], v[32:33], v[224:239]
    s_nop 15
    s_nop 2
    v_mfma_f32_32x32x8f16 v[64:79], v[80:81], v[32:33], v[224:239]
    s_nop 15
    s_nop 2
    v_mfma_f32_32x32x8f16 v[80:95], v[64:65], v[32:33], v[224:239]
    s_nop 15
    s_nop 2
    v_mfma_f32_32x32x8f16 v[64:79], v[80:81], v[32:33], v[224:239]
    s_nop 15
    s_nop 2
    v_mfma_f32_32x32x8f16 v[80:95], v[64:65], v[32:33], v[224:239]
    s_nop 15
    s_nop 2
    v_mfma_f32_32x32x8f16 v[64:79], v[80:81], v[32:33], v[224:239]
    s_nop 15
    s_nop 2
    v_mfma_f32_32x32x8f16 v[80:95], v[64:65], v[32:33], v[224:239]
    s_nop 15
    s_nop 2
    v_mfma_f32_32x32x8f16 v[64:79], v[80:81], v[32:33], v[224:239]
    s_nop 15
    s_nop 2
    v_mfma_f32_32x32x8f16 v[80:95], v[64:65], v[32:33], v[224:239]
    s_nop 15
    s_nop 2
    v_mfma_f32_32x32x8f16 v[64:79], v[80:81], v[32:33], v[224:239]
    s_nop 15
    s_nop 2
    v_mfma_f32_32x32x8f16 v[80:95], v[64:65], v[32:33], v[224:239]
    s_nop 15
    s_nop 2
    v_mfma_f32_32x32x8f16 v[64:79], v[80:81], v[32:33], v[224:239]
    s_nop 15
    s_nop 2
    v_mfma_f32_32x32x8f16 v[80:95], v[64:65], v[32:33], v[224:239]
    s_sub_u32 s6, s6, 1
    s_cmp_lg_u32 s6, 0
    s_cbranch_scc1 .Lwinic_latency_a_loop
    s_nop 15
    s_nop 15
    v_readfirstlane_b32 s13, v64
    v_readfirstlane_b32 s16, v65
    s_nop 7
    s_memrealtime s[20:21]
    s_memtime s[10:11]
    s_waitcnt lgkmcnt(0)
    v_and_b32 v7, 63, v1
    v_cmp_eq_u32 vcc, 0, v7
    s_and_saveexec_b64 s[14:15], vcc
    v_lshrrev_b32 v1, 6, v1
    s_mul_i32 s22, s2, s7
    v_add_u32 v1, s22, v1
    v_lshlrev_b32 v8, 6, v1
    v_mov_b32 v16, s8
    v_mov_b32 v17, s9
    v_mov_b32 v18, s10
    v_mov_b32 v19, s11
    v_mov_b32 v20, s18
    v_mov_b32 v21, s19
    v_mov_b32 v22, s20
    v_mov_b32 v23, s21
    v_mov_b32 v24, s12
    v_mov_b32 v25, s17
    v_mov_b32 v26, s13
    v_mov_b32 v27, s16
    v_mov_b32 v28, v1
    v_mov_b32 v29, 0
    v_mov_b32 v30, 0x6e697763
    v_mov_b32 v31, 0x7265636f
    global_store_dwordx4 v8, v[16:19], s[4:5] offset:0
    global_store_dwordx4 v8, v[20:23], s[4:5] offset:16
    global_store_dwordx4 v8, v[24:27], s[4:5] offset:32
    global_store_dwordx4 v8, v[28:31], s[4:5] offset:48
    s_endpgm
.Lwinic_latency_a_end:
    .size winic_latency_a, .Lwinic_latency_a_end-winic_latency_a
    .rodata
    .p2align 6
    .amdhsa_kernel winic_latency_a
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_user_sgpr_count 2
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_system_vgpr_workitem_id 0
        .amdhsa_next_free_vgpr 240
        .amdhsa_accum_offset 240
        .amdhsa_next_free_sgpr 24
        .amdhsa_reserve_vcc 1
        .amdhsa_kernarg_size 16
        .amdhsa_group_segment_fixed_size 0
        .amdhsa_private_segment_fixed_size 0
    .end_amdhsa_kernel
    .amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.target: amdgcn-amd-amdhsa--gfx90a
amdhsa.kernels:
  - .name: winic_latency_a
    .symbol: winic_latency_a.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 30
    .vgpr_count: 240
    .agpr_count: 0
    .max_flat_workgroup_size: 1024
    .args:
      - { .name: out, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .name: iterations, .offset: 8, .size: 4, .value_kind: by_value }
      - { .name: wavefronts, .offset: 12, .size: 4, .value_kind: by_value }
...
    .end_amdgpu_metadata
