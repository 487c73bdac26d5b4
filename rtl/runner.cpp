// A runner whose machine is a simulated Rocket core. What it says and hears is described in
// src/device/wire.rs.
//
// Every kernel has a core of its own, just out of reset, and a core does the same each time:
// windows need not be many, nor long.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>
#include <verilated.h>

#include "image.hpp"
#include "machine.hpp"

using nlohmann::json;

namespace {

constexpr int protocol = 5;

// Iterations, and those before them in the same call: the first iteration of a loop teaches the
// core where its branch goes.
constexpr uint64_t iterations = 1, first_iterations = 2;

// A duration is taken until so many in a row are equal, because the caches know all there is to
// know then, but not more often than `patience` allows: a cache that replaces lines at random needs
// some time, and what is larger than it for ever.
constexpr size_t windows = 3, patience = 16;

// A request that is not of the protocol. All other errors only end a run.
struct BadRequest : std::runtime_error {
    using runtime_error::runtime_error;
};

std::string decode_base64(const std::string& text) {
    static const std::string digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    uint32_t bits = 0;
    int count = 0;
    const size_t length = std::min(text.find_last_not_of('=') + 1, text.size());
    if (text.size() % 4 != 0 || text.size() - length > 2) throw BadRequest("image: not base64");
    for (size_t index = 0; index < length; ++index) {
        const size_t digit = digits.find(text[index]);
        if (digit == std::string::npos) throw BadRequest("image: not base64");
        bits = bits << 6 | digit;
        count += 6;
        if (count >= 8) bytes += static_cast<char>(bits >> (count -= 8));
    }
    return bytes;
}

// Refuses a kernel that needs more than this runner has: one core, no buffers, no states, and so many
// bytes of memory in the image.
void check_needs(const json& kernel, uint64_t memory) {
    const json needs = kernel.value("needs", json::object());
    const auto refuse = [&](const std::string& what) {
        throw std::runtime_error("kernel " + kernel.at("id").dump() + " cannot run here: it needs " +
                                 what);
    };
    for (const auto& [name, value] : needs.items())
        if (name != "memory" && name != "passes_memory" && name != "cores" && name != "buffer" &&
            name != "states")
            throw BadRequest("needs: unknown member " + name);
    if (const auto bytes = needs.value("memory", uint64_t{0}); bytes > memory)
        refuse(std::to_string(bytes) + " bytes of memory, and the image has " +
               std::to_string(memory));
    if (const auto cores = needs.value("cores", 1u); cores != 1)
        refuse(std::to_string(cores) + " cores, and this runner has one");
    if (const json buffer = needs.value("buffer", json()); !buffer.is_null())
        refuse("a buffer of " + buffer.at("bytes").dump() + " bytes, and this runner has none");
    if (const json states = needs.value("states", json::array()); !states.empty())
        refuse("the state " + states.at(0).dump() + ", which this runner does not know");
}

// The addresses of a kernel's functions.
struct Kernel {
    bool probe;
    uint64_t reference;
    std::optional<uint64_t> init;
    uint64_t single;
    std::optional<uint64_t> twice;

    Kernel(const json& kernel, uint64_t reference, const Image& image)
        : probe(is_probe(kernel.at("purpose"))), reference(reference),
          init(optional(kernel.at("init"), image)),
          single(image.function(kernel.at("single").get<std::string>())),
          twice(optional(kernel.at("double"), image)) {}

private:
    static bool is_probe(const json& purpose) {
        if (purpose != "probe" && purpose != "time") throw BadRequest("unknown purpose");
        return purpose == "probe";
    }

    static std::optional<uint64_t> optional(const json& symbol, const Image& image) {
        if (symbol.is_null()) return {};
        return image.function(symbol.get<std::string>());
    }
};

// What iterations of a function take, in cycles: as many durations as there are windows.
using Durations = std::array<uint64_t, windows>;

// A core at work on one kernel. A call that does not return throws Faulted.
class Worker {
public:
    Worker(const Kernel& kernel, const Memory& memory) : kernel(kernel), machine(memory) {}

    json report() {
        const uint64_t first = timed(kernel.single, 1);
        if (kernel.probe) return {{"executed", {{"ticks", first}}}};
        const Durations reference = durations(kernel.reference);
        const Durations single = durations(kernel.single);
        const Durations twice = kernel.twice ? durations(*kernel.twice) : Durations{};
        json listed = json::array();
        for (size_t window = 0; window < windows; ++window)
            listed.push_back({{"reference_before", reference[window]},
                              {"single", single[window]},
                              {"double", twice[window]},
                              {"reference_after", reference[window]}});
        return {{"timed",
                 {{"iterations", iterations},
                  {"reference_iterations", iterations},
                  {"overhead", 0}, // It is in both calls of which a duration is the difference.
                  {"tick_step", 1},
                  {"windows", listed}}}};
    }

private:
    uint64_t call(uint64_t function, uint64_t argument) {
        const Outcome outcome = machine.call(function, argument);
        if (const auto* faulted = std::get_if<Faulted>(&outcome)) throw *faulted;
        return std::get<Returned>(outcome).cycles;
    }

    uint64_t timed(uint64_t function, uint64_t argument) {
        if (kernel.init) call(*kernel.init, 0);
        return call(function, argument);
    }

    // Iterations of a loop and nothing else: neither its beginning nor its end.
    uint64_t duration(uint64_t function) {
        const uint64_t before = timed(function, first_iterations);
        return timed(function, first_iterations + iterations) - before;
    }

    // The last ones of those that were taken. Time does not pass between them, so they stand side
    // by side in windows with the durations of other functions.
    Durations durations(uint64_t function) {
        Durations last{};
        size_t equal = 0;
        for (size_t taken = 0; taken < patience && equal < windows; ++taken) {
            std::rotate(last.begin(), last.begin() + 1, last.end());
            last.back() = duration(function);
            equal = taken > 0 && last.back() == last[windows - 2] ? equal + 1 : 1;
        }
        return last;
    }

    Kernel kernel;
    Machine machine;
};

void say(const json& line) { std::cout << line << std::endl; }

json greeting() {
    return {{"protocol", protocol},
            {"runner", "rocket"},
            {"host",
             {{"architecture", "riscv64"},
              {"cpu", "Rocket (RV64GC), simulated from its Verilog"},
              {"system", std::string("bare metal in ") + Verilated::productName() + " " +
                             Verilated::productVersion()},
              {"source", "simulated"},
              {"core", nullptr},
              {"ticks", "cycle-counter"},
              {"tick_rate", nullptr},
              {"tick_step", 1},
              {"advice", json::array()}}}};
}

json report_of(const Kernel& kernel, const Memory& memory) try {
    return Worker(kernel, memory).report();
} catch (const Faulted& faulted) {
    return {{"faulted", faulted.fault}};
}

// Runs an artifact. Finds all functions before any kernel runs: a hole in the image is a
// mistake of the driver's, and better known at once.
void run(const json& artifact) {
    const std::string bytes = decode_base64(artifact.at("image"));
    const json& listed = artifact.at("kernels");
    std::vector<Kernel> kernels;
    std::optional<Image> image;
    try {
        image.emplace(bytes);
        const uint64_t reference = image->function(artifact.at("reference").at("symbol"));
        for (const json& kernel : listed) {
            check_needs(kernel, image->region_size());
            kernels.emplace_back(kernel, reference, *image);
        }
    } catch (const BadRequest&) {
        throw;
    } catch (const std::runtime_error& error) {
        return say({{"error", error.what()}});
    }
    for (size_t index = 0; index < kernels.size(); ++index)
        say({{"kernel", listed[index].at("id")},
             {"report", report_of(kernels[index], image->memory())}});
    say({{"done", kernels.size()}});
}

} // namespace

int main() try {
    say({{"greeting", greeting()}});
    for (std::string line; std::getline(std::cin, line);) {
        if (std::cin.eof()) throw BadRequest("the line was cut off before its end");
        const json request = json::parse(line);
        if (request.size() != 1) throw BadRequest("not a request");
        run(request.at("run"));
    }
} catch (const std::exception& error) {
    std::cerr << "rocket-runner: " << error.what() << std::endl;
    return EXIT_FAILURE;
}
