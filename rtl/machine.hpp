// A Rocket core with memory, in simulation: calls functions and counts their cycles.
#pragma once

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

// Where memory begins for the core, and how much of it there is.
constexpr uint64_t memory_base = 0x8000'0000;
constexpr uint64_t memory_size = 16 << 20;

// Below this the bare-metal program and its stack live.
constexpr uint64_t image_base = memory_base + (1 << 20);

using Memory = std::vector<uint8_t>;

// All of memory, with the bare-metal program in it and nothing else.
Memory initial_memory();

// A call returned after so many cycles.
struct Returned {
    uint64_t cycles;
};

// A call did not return; `fault` is the protocol's name for why.
struct Faulted {
    const char* fault;
};

using Outcome = std::variant<Returned, Faulted>;

// A core just out of reset. Two with the same memory and the same calls do exactly the same.
class Machine {
public:
    explicit Machine(Memory memory);
    ~Machine();

    // Calls `void function(uint64_t)` in user mode. Of earlier calls only the caches know. After a
    // fault the machine is of no more use.
    Outcome call(uint64_t function, uint64_t argument);

private:
    struct Parts;
    std::unique_ptr<Parts> parts;
};
