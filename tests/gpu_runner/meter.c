// The management library of a GPU that does not exist: 300 W while anything runs.
#include <stdint.h>
int nvmlInit_v2(void) { return 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **out) { *out = (void *)bus; return bus[0] != '0'; }
int nvmlDeviceGetPowerUsage(void *device, unsigned *out) { *out = 300000; return 0; }
int nvmlDeviceGetClockInfo(void *device, unsigned kind, unsigned *out) { *out = 1755; return 0; }
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *out) { *out = 5000; return 0; }
int rsmi_init(uint64_t flags) { return 0; }
int rsmi_dev_power_ave_get(uint32_t device, uint32_t sensor, uint64_t *out) { *out = 250000000; return 0; }
