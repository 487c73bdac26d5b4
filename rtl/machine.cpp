#include "machine.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>

#include "Rocket.h"
#include "Rocket___024root.h"

namespace {

// A call that takes longer never ends: the slowest kernels take some hundred thousand cycles.
constexpr uint64_t watchdog = 400'000;

constexpr int reset_cycles = 20;

// stub.s, assembled.
constexpr uint32_t stub[] = {
#include "stub.inc"
};

// The mailbox; stub.s has the other end.
constexpr uint64_t boot = 0x1000'0000;
constexpr uint64_t mailbox = 0x1000'1000;
enum Cell : uint64_t { function = 0, argument = 8, returned = 16, trapped = 24 };

// What mcause means, in the words of the protocol (a Linux kernel sends these signals).
const char* fault_of(uint64_t cause) {
    switch (cause) {
    case 0: case 4: case 6:
        return "bus-error"; // misaligned
    case 1: case 5: case 7: case 12: case 13: case 15:
        return "segmentation-fault"; // access and page faults
    case 2:
        return "illegal-instruction";
    case 3:
        return "trap"; // breakpoint
    case 8:
        return "system-call"; // from user mode
    }
    throw std::runtime_error("the core trapped with mcause " + std::to_string(cause));
}

// The signals of one of the core's AXI ports, under names that all ports share.
template <typename Address> struct Port {
    CData &ar_ready, &ar_valid, &ar_id, &ar_len, &ar_size;
    Address& ar_addr;
    CData &r_ready, &r_valid, &r_id, &r_resp, &r_last;
    QData& r_data;
    CData &aw_ready, &aw_valid, &aw_id, &aw_size;
    Address& aw_addr;
    CData &w_ready, &w_valid, &w_strb, &w_last;
    QData& w_data;
    CData &b_ready, &b_valid, &b_id, &b_resp;
};

#define PORT(core, name)                                                                           \
    Port<IData> {                                                                                  \
        core.name##_ar_ready, core.name##_ar_valid, core.name##_ar_bits_id,                        \
            core.name##_ar_bits_len, core.name##_ar_bits_size, core.name##_ar_bits_addr,           \
            core.name##_r_ready, core.name##_r_valid, core.name##_r_bits_id,                       \
            core.name##_r_bits_resp, core.name##_r_bits_last, core.name##_r_bits_data,             \
            core.name##_aw_ready, core.name##_aw_valid, core.name##_aw_bits_id,                    \
            core.name##_aw_bits_size, core.name##_aw_bits_addr, core.name##_w_ready,               \
            core.name##_w_valid, core.name##_w_bits_strb, core.name##_w_bits_last,                 \
            core.name##_w_bits_data, core.name##_b_ready, core.name##_b_valid,                     \
            core.name##_b_bits_id, core.name##_b_bits_resp                                         \
    }

// A register of the core's branch predictor, by its name in the Verilog (see rtl/visible.vlt).
#define PREDICTOR(name)                                                                            \
    core.rootp->ExampleRocketSystem__DOT__tile_prci_domain__DOT__tile_reset_domain_tile__DOT__frontend__DOT__btb__DOT__##name

// What stands behind a port, in words of eight bytes. Nothing at an address: no value, false.
struct Target {
    virtual std::optional<uint64_t> read(uint64_t address) = 0;
    virtual bool write(uint64_t address, uint64_t data, uint8_t strobe) = 0;
};

// The other side of a port: one read and one write at a time, a word a cycle.
class Subordinate {
public:
    Subordinate(Port<IData> port, Target& target) : port(port), target(target) {}

    // Puts the answers of this cycle on the port.
    void drive() {
        port.ar_ready = !reading;
        port.r_valid = reading.has_value();
        if (reading) {
            const auto data = target.read(reading->address & ~7ull);
            port.r_id = reading->id;
            port.r_data = data.value_or(0);
            port.r_resp = data ? okay : decode_error;
            port.r_last = reading->more == 0;
        }
        port.aw_ready = !writing;
        port.w_ready = writing && !writing->complete;
        port.b_valid = writing && writing->complete;
        if (writing) {
            port.b_id = writing->id;
            port.b_resp = writing->accepted ? okay : decode_error;
        }
    }

    // Takes what the core says in this cycle. Called when its outputs have settled and before
    // the clock rises.
    void observe() {
        if (port.r_valid && port.r_ready) {
            reading->address += reading->step;
            if (reading->more-- == 0) reading.reset();
        } else if (port.ar_valid && port.ar_ready) {
            reading = Read{port.ar_addr, port.ar_id, 1u << port.ar_size, port.ar_len};
        }
        if (port.b_valid && port.b_ready) {
            writing.reset();
        } else if (port.w_valid && port.w_ready) {
            writing->accepted &= target.write(writing->address & ~7ull, port.w_data, port.w_strb);
            writing->address += writing->step;
            writing->complete = port.w_last;
        } else if (port.aw_valid && port.aw_ready) {
            writing = Write{port.aw_addr, port.aw_id, 1u << port.aw_size};
        }
    }

private:
    static constexpr CData okay = 0, decode_error = 3;

    struct Read {
        uint64_t address;
        CData id;
        uint32_t step;
        uint32_t more; // words after this one
    };

    struct Write {
        uint64_t address;
        CData id;
        uint32_t step;
        bool accepted = true;
        bool complete = false;
    };

    Port<IData> port;
    Target& target;
    std::optional<Read> reading;
    std::optional<Write> writing;
};

struct Ram : Target {
    Memory bytes;

    explicit Ram(Memory bytes) : bytes(std::move(bytes)) {}

    std::optional<uint64_t> read(uint64_t address) override {
        if (address - memory_base >= bytes.size()) return {};
        uint64_t word;
        std::memcpy(&word, &bytes[address - memory_base], sizeof word);
        return word;
    }

    bool write(uint64_t address, uint64_t data, uint8_t strobe) override {
        if (address - memory_base >= bytes.size()) return false;
        for (int lane = 0; lane < 8; ++lane)
            if (strobe >> lane & 1) bytes[address - memory_base + lane] = data >> 8 * lane;
        return true;
    }
};

struct Mailbox : Target {
    Ram& ram;
    uint64_t function = 0, argument = 0;
    std::optional<Outcome> outcome;

    explicit Mailbox(Ram& ram) : ram(ram) {}

    std::optional<uint64_t> read(uint64_t address) override {
        if (address >= boot && address < mailbox) return ram.read(address - boot + memory_base);
        switch (address - mailbox) {
        case Cell::function:
            return function;
        case Cell::argument:
            return argument;
        }
        return {};
    }

    bool write(uint64_t address, uint64_t data, uint8_t) override {
        switch (address - mailbox) {
        case Cell::returned:
            outcome = Returned{data};
            return true;
        case Cell::trapped:
            outcome = Faulted{fault_of(data)};
            return true;
        }
        return false;
    }
};

} // namespace

Memory initial_memory() {
    Memory memory(memory_size);
    std::memcpy(memory.data(), stub, sizeof stub);
    return memory;
}

struct Machine::Parts {
    Ram ram;
    Mailbox mail{ram};
    VerilatedContext context;
    Rocket core{&context};
    Subordinate memory_side{PORT(core, mem_axi4_0), ram};
    Subordinate mailbox_side{PORT(core, mmio_axi4_0), mail};

    explicit Parts(Memory memory) : ram(std::move(memory)) {
        reset(true);
        for (int cycle = 0; cycle < reset_cycles; ++cycle) step();
        reset(false);
    }

    void reset(bool on) { core.reset = core.debug_reset = core.resetctrl_hartIsInReset_0 = on; }

    // What the core has learnt about branches: nothing, and that all are taken. Its memory of
    // branches has one bit for each of them and their histories, and they share these bits, so that
    // otherwise some branches would be predicted wrongly now and then, up to what ran before.
    void forget_branches() {
        PREDICTOR(isValid) = 0;
        PREDICTOR(history) = 0xff;
        for (auto& taken : PREDICTOR(table_).m_storage) taken = true;
    }

    // One cycle.
    void step() {
        memory_side.drive();
        mailbox_side.drive();
        core.debug_dmactiveAck = core.debug_dmactive;
        core.clock = core.debug_clock = 0;
        core.eval();
        memory_side.observe();
        mailbox_side.observe();
        core.clock = core.debug_clock = 1;
        core.eval();
    }
};

Machine::Machine(Memory memory) : parts(std::make_unique<Parts>(std::move(memory))) {}

Machine::~Machine() = default;

Outcome Machine::call(uint64_t function, uint64_t argument) {
    Mailbox& mail = parts->mail;
    mail.function = function;
    mail.argument = argument;
    mail.outcome.reset();
    parts->forget_branches();
    for (uint64_t cycle = 0; cycle < watchdog; ++cycle) {
        parts->step();
        if (mail.outcome) return *mail.outcome;
    }
    return Faulted{"timed-out"};
}
