    .amdgcn_target "amdgcn-amd-amdhsa--gfx1200"
    .amdhsa_code_object_version 5
    .text
    .globl winic_latency_c
    .p2align 8
    .type winic_latency_c,@function
winic_latency_c:
    s_load_b64 s[4:5], s[0:1], 0x0
    s_load_b64 s[6:7], s[0:1], 0x8
    v_and_b32 v1, 0x3ff, v0
    s_getreg_b32 s12, hwreg(HW_REG_WAVE_HW_ID1)
    s_mov_b32 s17, 0
    s_wait_kmcnt 0x0
    v_mov_b32 v16, 0x3c003c00
    v_mov_b32 v17, 0x3c003c00
    v_mov_b32 v18, 0x3c003c00
    v_mov_b32 v19, 0x3c003c00
    v_mov_b32 v32, 0x3c003c00
    v_mov_b32 v33, 0x3c003c00
    v_mov_b32 v34, 0x3c003c00
    v_mov_b32 v35, 0x3c003c00
    v_mov_b32 v36, 0x3c003c00
    v_mov_b32 v37, 0x3c003c00
    v_mov_b32 v38, 0x3c003c00
    v_mov_b32 v39, 0x3c003c00
    v_mov_b32 v48, 0x44444444
    v_mov_b32 v64, 0x0
    v_mov_b32 v65, 0x0
    v_mov_b32 v66, 0x0
    v_mov_b32 v67, 0x0
    v_mov_b32 v68, 0x0
    v_mov_b32 v69, 0x0
    v_mov_b32 v70, 0x0
    v_mov_b32 v71, 0x0
    s_nop 15
    s_nop 15
    s_sendmsg_rtn_b64 s[18:19], sendmsg(MSG_RTN_GET_REALTIME)
    s_wait_kmcnt 0x0
    s_getreg_b32 s9, hwreg(HW_REG_SHADER_CYCLES_HI)
    s_getreg_b32 s8, hwreg(HW_REG_SHADER_CYCLES_LO)
    .p2align 6
.Lwinic_latency_c_loop:
    v_swmmac_f32_16x16x32_f16 v[64:71], v[16:19], v[32:39], v48
    v_swmmac_f32_16x16x32_f16 v[64:71], v[16:19], v[32:39], v48
    v_swmmac_f32_16x16x32_f16 v[64:71], v[16:19], v[32:39], v48
    v_swmmac_f32_16x16x32_f16 v[64:71], v[16:19], v[32:39], v48
    v_swmmac_f32_16x16x32_f16 v[64:71], v[16:19], v[32:39], v48
    v_swmmac_f32_16x16x32_f16 v[64:71], v[16:19], v[32:39], v48
    v_swmmac_f32_16x16x32_f16 v[64:71], v[16:19], v[32:39], v48
    v_swmmac_f32_16x16x32_f16 v[64:71], v[16:19], v[32:39], v48
    v_swmmac_f32_16x16x32_f16 v[64:71], v[16:19], v[32:39], v48
    v_swmmac_f32_16x16x32_f16 v[64:71], v[16:19], v[32:39], v48
    v_swmmac_f32_16x16x32_f16 v[64:71], v[16:19], v[32:39], v48
    v_swmmac_f32_16x16x32_f16 v[64:71], v[16:19], v[32:39], v48
    v_swmmac_f32_16x16x32_f16 v[64:71], v[16:19], v[32:39], v48
    v_swmmac_f32_16x16x32_f16 v[64:71], v[16:19], v[32:39], v48
    v_swmmac_f32_16x16x32_f16 v[64:71], v[16:19], v[32:39], v48
    v_swmmac_f32_16x16x32_f16 v[64:71], v[16:19], v[32:39], v48
    s_sub_u32 s6, s6, 1
    s_cmp_lg_u32 s6, 0
    s_cbranch_scc1 .Lwinic_latency_c_loop
    s_nop 15
    s_nop 15
    v_readfirstlane_b32 s13, v64
    v_readfirstlane_b32 s16, v65
    s_nop 7
    s_sendmsg_rtn_b64 s[20:21], sendmsg(MSG_RTN_GET_REALTIME)
    s_wait_kmcnt 0x0
    s_getreg_b32 s11, hwreg(HW_REG_SHADER_CYCLES_HI)
    s_getreg_b32 s10, hwreg(HW_REG_SHADER_CYCLES_LO)
    v_and_b32 v7, 31, v1
    v_cmp_eq_u32 vcc_lo, 0, v7
    s_and_saveexec_b32 s14, vcc_lo
    v_lshrrev_b32 v1, 5, v1
    s_mul_i32 s22, ttmp9, s7
    v_add_nc_u32 v1, s22, v1
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
    global_store_b128 v8, v[16:19], s[4:5] offset:0
    global_store_b128 v8, v[20:23], s[4:5] offset:16
    global_store_b128 v8, v[24:27], s[4:5] offset:32
    global_store_b128 v8, v[28:31], s[4:5] offset:48
    s_endpgm
.Lwinic_latency_c_end:
    .size winic_latency_c, .Lwinic_latency_c_end-winic_latency_c
    .rodata
    .p2align 6
    .amdhsa_kernel winic_latency_c
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_user_sgpr_count 2
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_system_vgpr_workitem_id 0
        .amdhsa_next_free_vgpr 72
        .amdhsa_next_free_sgpr 24
        .amdhsa_reserve_vcc 1
        .amdhsa_wavefront_size32 1
        .amdhsa_kernarg_size 16
        .amdhsa_group_segment_fixed_size 0
        .amdhsa_private_segment_fixed_size 0
    .end_amdhsa_kernel
    .amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.target: amdgcn-amd-amdhsa--gfx1200
amdhsa.kernels:
  - .name: winic_latency_c
    .symbol: winic_latency_c.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 30
    .vgpr_count: 72
    .max_flat_workgroup_size: 1024
    .args:
      - { .name: out, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .name: iterations, .offset: 8, .size: 4, .value_kind: by_value }
      - { .name: wavefronts, .offset: 12, .size: 4, .value_kind: by_value }
...
    .end_amdgpu_metadata
