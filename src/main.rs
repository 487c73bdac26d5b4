//! The command line.
use winic::{llvm, form, isa};
fn main() {
    let host = llvm::host();
    let t = std::time::Instant::now();
    let mut l = llvm::Llvm::new(host.clone()).unwrap();
    let set = l.instruction_set();
    let isa = isa::for_architecture(&set.architecture, &host.features).unwrap();
    let list = form::list(&set, &*isa, &mut l);
    eprintln!("{} opcodes {:?}", set.opcodes.len(), t.elapsed());
    for x in &list {
        let name = &set.opcode(x.opcode).name;
        match &x.canonical {
            form::Canonical::Form(f) => println!("{name}\t{}\tform\t{:?}\t{}", f.mnemonic, f.memory, l.print(&f.sample).unwrap().replace('\t', " ")),
            form::Canonical::Alias(f) => println!("{name}\t{}\talias\t{:?}\t{}", f.mnemonic, f.memory, set.opcode(f.twin.unwrap()).name),
            form::Canonical::Excluded(r) => println!("{name}\t\tout\t\t{r}"),
        }
    }
}
