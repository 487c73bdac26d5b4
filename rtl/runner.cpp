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

constexpr int protocol = 2;

// A call in a window takes at least so many cycles: what the beginning and the end of a loop
// cost (a handful of cycles, mostly the same for one body and for two) is then little beside it.
constexpr uint64_t target_cycles = 1000;

// Iterations of the reference, in windows and to tell its overhead from.
constexpr uint64_t reference_iterations = 8, short_iterations = 1;

// Windows are taken until so many in a row are equal, but never more than `max_windows`.
constexpr size_t equal_windows = 3, max_windows = 12;

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

// Windows hold reference, single, double, reference: in cycles.
using Window = std::array<uint64_t, 4>;

// A core at work on one kernel. A call that does not return throws Faulted.
class Worker {
public:
    Worker(const Kernel& kernel, const Memory& memory) : kernel(kernel), machine(memory) {}

    json report() {
        const uint64_t first = timed(kernel.single, 1);
        if (kernel.probe) return {{"executed", {{"ticks", first}}}};
        const uint64_t iterations = loop_count();
        const double overhead = reference_overhead();
        json windows = json::array();
        for (const auto& [before, single, twice, after] : take_windows(iterations))
            windows.push_back({{"reference_before", before},
                               {"single", single},
                               {"double", twice},
                               {"reference_after", after}});
        return {{"timed",
                 {{"iterations", iterations},
                  {"reference_iterations", reference_iterations},
                  {"overhead", overhead},
                  {"tick_step", 1},
                  {"windows", windows}}}};
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

    uint64_t loop_count() {
        const uint64_t longest = kernel.twice.value_or(kernel.single);
        timed(longest, 1); // to warm the caches
        return target_cycles / std::max<uint64_t>(timed(longest, 1), 1) + 1;
    }

    // What a call of the reference costs beyond its chain: the axis intercept of two durations.
    double reference_overhead() {
        call(kernel.reference, reference_iterations);
        const double many = call(kernel.reference, reference_iterations);
        const double few = call(kernel.reference, short_iterations);
        return (reference_iterations * few - short_iterations * many) /
               (reference_iterations - short_iterations);
    }

    std::vector<Window> take_windows(uint64_t iterations) {
        std::vector<Window> windows;
        size_t equal = 0;
        while (equal < equal_windows && windows.size() < max_windows) {
            Window window;
            window[0] = call(kernel.reference, reference_iterations);
            window[1] = timed(kernel.single, iterations);
            window[2] = kernel.twice ? timed(*kernel.twice, iterations) : 0;
            window[3] = call(kernel.reference, reference_iterations);
            equal = !windows.empty() && windows.back() == window ? equal + 1 : 1;
            windows.push_back(window);
        }
        return windows;
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
        for (const json& kernel : listed) kernels.emplace_back(kernel, reference, *image);
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
