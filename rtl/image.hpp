// An artifact's shared object, loaded into the memory of the simulated core.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "machine.hpp"

class Image {
public:
    // Loads the bytes of a shared object for 64-bit RISC-V and relocates it.
    // Throws std::runtime_error when they are something else or do not fit.
    explicit Image(const std::string& bytes);

    // Where a function is; throws std::runtime_error when there is none of this name.
    uint64_t function(const std::string& symbol) const;

    // How many bytes kernels may read and write: what lies between the guards, if there are any.
    uint64_t region_size() const;

    // The memory of a core that is to run the image.
    const Memory& memory() const { return loaded; }

private:
    Memory loaded = initial_memory();
    std::map<std::string, uint64_t> symbols;
};
