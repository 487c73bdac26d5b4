#include "image.hpp"

#include <cstring>
#include <elf.h>
#include <stdexcept>

namespace {

// Bytes that come from outside, and where they begin for those who name places in them.
class View {
public:
    View(const void* bytes, uint64_t size, uint64_t base)
        : bytes(static_cast<const char*>(bytes)), size(size), base(base) {}

    // What is there, unless that is outside.
    const char* at(uint64_t address, uint64_t length) const {
        const uint64_t offset = address - base;
        if (offset > size || length > size - offset)
            throw std::runtime_error("the image is not a complete 64-bit shared object");
        return bytes + offset;
    }

    template <typename T> T get(uint64_t address, uint64_t index = 0) const {
        T value;
        std::memcpy(&value, at(address + index * sizeof value, sizeof value), sizeof value);
        return value;
    }

    std::string text(uint64_t address) const {
        std::string text;
        while (const char letter = get<char>(address++)) text += letter;
        return text;
    }

private:
    const char* bytes;
    uint64_t size, base;
};

// The dynamic section, by tag.
std::map<int64_t, uint64_t> dynamic_entries(const View& memory, uint64_t address) {
    std::map<int64_t, uint64_t> entries;
    for (uint64_t index = 0;; ++index) {
        const auto entry = memory.get<Elf64_Dyn>(address, index);
        if (entry.d_tag == DT_NULL) return entries;
        entries[entry.d_tag] = entry.d_un.d_val;
    }
}

} // namespace

Image::Image(const std::string& bytes) {
    const View file(bytes.data(), bytes.size(), 0);
    const auto header = file.get<Elf64_Ehdr>(0);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_type != ET_DYN)
        throw std::runtime_error("the image is not a complete 64-bit shared object");
    if (header.e_machine != EM_RISCV) throw std::runtime_error("the image is not for RISC-V");

    const View memory(loaded.data(), loaded.size(), memory_base);
    // The same places as in `memory`, to write to.
    const auto place = [&](uint64_t address, uint64_t length) {
        return loaded.data() + (memory.at(image_base + address, length) -
                                reinterpret_cast<const char*>(loaded.data()));
    };

    std::map<int64_t, uint64_t> dynamic;
    for (uint64_t index = 0; index < header.e_phnum; ++index) {
        const auto segment = file.get<Elf64_Phdr>(header.e_phoff, index);
        if (segment.p_type != PT_LOAD) continue;
        if (segment.p_vaddr + segment.p_memsz > memory_base + memory_size - image_base)
            throw std::runtime_error("the image does not fit into the memory of the core");
        std::memcpy(place(segment.p_vaddr, segment.p_filesz),
                    file.at(segment.p_offset, segment.p_filesz), segment.p_filesz);
    }
    for (uint64_t index = 0; index < header.e_phnum; ++index) {
        const auto segment = file.get<Elf64_Phdr>(header.e_phoff, index);
        if (segment.p_type == PT_DYNAMIC)
            dynamic = dynamic_entries(memory, image_base + segment.p_vaddr);
    }

    const uint64_t table = image_base + dynamic[DT_SYMTAB];
    const uint64_t strings = image_base + dynamic[DT_STRTAB];
    // The hash table's second number is how many symbols there are.
    const auto count = memory.get<uint32_t>(image_base + dynamic[DT_HASH], 1);
    for (uint32_t index = 1; index < count; ++index) {
        const auto symbol = memory.get<Elf64_Sym>(table, index);
        if (symbol.st_shndx == SHN_UNDEF) continue;
        symbols[memory.text(strings + symbol.st_name)] = image_base + symbol.st_value;
    }

    const auto relocate = [&](uint64_t relocations, uint64_t size) {
        for (uint64_t index = 0; index < size / sizeof(Elf64_Rela); ++index) {
            const auto entry = memory.get<Elf64_Rela>(image_base + relocations, index);
            uint64_t value = image_base;
            switch (ELF64_R_TYPE(entry.r_info)) {
            case R_RISCV_RELATIVE:
                value += entry.r_addend;
                break;
            case R_RISCV_64:
            case R_RISCV_JUMP_SLOT: {
                const auto symbol = memory.get<Elf64_Sym>(table, ELF64_R_SYM(entry.r_info));
                if (symbol.st_shndx == SHN_UNDEF)
                    throw std::runtime_error("the image needs a symbol `" +
                                             memory.text(strings + symbol.st_name) + "`");
                value += symbol.st_value + entry.r_addend;
                break;
            }
            default:
                throw std::runtime_error("the image has a relocation of type " +
                                         std::to_string(ELF64_R_TYPE(entry.r_info)));
            }
            std::memcpy(place(entry.r_offset, sizeof value), &value, sizeof value);
        }
    };
    relocate(dynamic[DT_RELA], dynamic[DT_RELASZ]);
    relocate(dynamic[DT_JMPREL], dynamic[DT_PLTRELSZ]);
}

uint64_t Image::function(const std::string& symbol) const {
    const auto found = symbols.find(symbol);
    if (found == symbols.end()) throw std::runtime_error("no symbol `" + symbol + "` in the image");
    return found->second;
}

uint64_t Image::region_size() const {
    const auto begin = symbols.find("winic_guard_low_end"), end = symbols.find("winic_guard_high");
    if (begin == symbols.end() || end == symbols.end() || end->second < begin->second) return 0;
    return end->second - begin->second;
}
