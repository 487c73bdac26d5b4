# What the scripts share: where things are, what winic needs, how it is built and checked.
# Sourced, not run.

root=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
target=${CARGO_TARGET_DIR:-target}
case $target in /*) ;; *) target=$root/$target ;; esac
llvm22=${LLVM_SYS_221_PREFIX:-/usr/lib/llvm-22}
llvm19=${LLVM_SYS_191_PREFIX:-/usr/lib/llvm-19}
winic=$target/release/winic

# One line on stderr, and the end.
fail() {
    echo "$(basename -- "$0"): $1" >&2
    exit 2
}

# ---- What is needed -----------------------------------------------------------------------

missing=() # Debian packages
reasons=() # what each is for

# need PACKAGE WHY TEST...: notes the package unless the test succeeds.
need() {
    local package=$1 why=$2
    shift 2
    "$@" > /dev/null 2>&1 || { missing+=("$package"); reasons+=("$why"); }
}

has_command() { command -v "$1"; }
has_linker() { command -v ld.lld-22 || command -v ld.lld; }
has_llvm() { [ -x "$1/bin/llvm-config" ] && [ -e "$1/include/llvm/MC/MCInst.h" ]; }

# What building and running winic takes.
need_winic() {
    need_rust
    need g++ "compiles the C++ shim over LLVM, and links" has_command c++
    need llvm-22-dev "the LLVM that knows the instructions: library and headers" has_llvm "$llvm22"
    need lld-22 "links the kernels that are measured" has_linker
}

# What testing winic takes besides.
need_tests() {
    need_component rustfmt fmt
    need_component clippy clippy
    need strace "takes the system-call filter away, for a test of what holds without it" has_command strace
    need zsh "reads its completions, for a test of scripts/install" has_command zsh
    need fish "reads its completions, likewise" has_command fish
    need man-db "renders the manual pages, likewise" has_command man
    need groff-base "is what man renders with" has_command groff
    need_browser
    need llvm-22 "reads what winic exports for it (llvm-exegesis, llvm-mca)" [ -x "$llvm22/bin/llvm-exegesis" ]
    need_osaca
    need llvm-19-dev "the oldest LLVM that winic is built against" has_llvm "$llvm19"
}

# What looking at pages takes.
need_browser() {
    need chromium "shows pages, for tests of what people see of them" has_command chromium
    need nodejs "drives it, likewise" has_command node
    need npm "installs what drives it" has_command npm
}

need_rust() {
    [ -d "$HOME/.cargo/bin" ] && PATH=$PATH:$HOME/.cargo/bin
    has_command cargo > /dev/null || fail "needs Rust (cargo is not in PATH): https://rustup.rs installs it"
}

# need_component NAME SUBCOMMAND: a part of the Rust toolchain, from where that came from.
need_component() {
    in_root cargo "$2" --version > /dev/null 2>&1 && return
    has_command rustup > /dev/null || fail "needs cargo $2: install the component $1 of Rust"
    echo "installing $1: a part of the Rust toolchain that the checks use"
    in_root rustup --quiet component add "$1"
}

# OSACA, the consumer of models, in a place of its own. Its Python is what `osaca_python` prints.
osaca_home=$target/osaca
need_osaca() { need python3-venv "OSACA is installed with it" python3 -c 'import venv, ensurepip'; }
osaca_python() {
    mkdir -p "$target"
    # One at a time: tests that run side by side all ask for it, and the first has to install it.
    flock "$osaca_home.lock" bash -c '. "$1" && install_osaca' - "$root/scripts/lib.sh" >&2 ||
        fail "OSACA could not be installed into $osaca_home: see above"
    echo "$osaca_home/bin/python"
}
install_osaca() {
    [ ! -x "$osaca_home/bin/osaca" ] || return 0
    echo "installing OSACA: reads what winic exports for it"
    # What an installation that was cut short has left is no obstacle.
    python3 -m venv --clear "$osaca_home" &&
        "$osaca_home/bin/pip" install --quiet -r "$root/tests/loops/osaca-requirements.txt"
}

# Installs what was noted, saying what and why; says nothing if that is nothing.
install_missing() {
    [ ${#missing[@]} -gt 0 ] || return 0
    local names="${missing[*]}" at
    has_command apt-get > /dev/null ||
        fail "needs $names (the names are Debian's), and there is no apt-get to install that: install it by hand"
    [ "$(id -u)" -eq 0 ] || has_command sudo > /dev/null ||
        fail "needs $names, and without sudo only root can install that: apt-get install $names"
    for at in "${!missing[@]}"; do
        echo "installing ${missing[at]}: ${reasons[at]}"
    done
    apt_get update || echo "apt-get update failed; trying with the package lists of last time" >&2
    apt_get install --no-install-recommends "${missing[@]}" || fail "apt-get could not install $names"
    missing=() reasons=()
}

# What drives Chromium (Playwright) and what judges how accessible pages are (axe), in the target directory,
# where tests/browser.rs finds it: the versions of package-lock.json, again only when those change.
install_browser_driver() {
    local of=$root/tests/browser place=$target/browser
    cmp -s "$of/package-lock.json" "$place/node_modules/.of-lock" && return
    echo "installing playwright-core and axe-core: drive a browser and judge pages, for tests"
    mkdir -p "$place"
    cp "$of/package.json" "$of/package-lock.json" "$place/"
    npm --prefix "$place" ci --silent --no-audit --no-fund || fail "npm could not install what drives the browser"
    cp "$of/package-lock.json" "$place/node_modules/.of-lock"
}

# apt-get as root, without questions and, unless it fails, without words.
apt_get() {
    local as_root=() log failed=0
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    log=$(mktemp)
    ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get -qq -y "$@" > "$log" 2>&1 ||
        failed=$?
    [ "$failed" -eq 0 ] || cat "$log" >&2
    rm -f "$log"
    return "$failed"
}

# ---- Building and checking ----------------------------------------------------------------

# Cargo, from where it finds .cargo/config.toml.
in_root() { (cd "$root" && "$@"); }

# Both programs, optimized.
build() { in_root cargo build --release --locked; }

# LLVM's name of this CPU, as in znver3.
cpu_name() {
    local name
    name=$("$llvm22/bin/llc" --version 2> /dev/null | sed -n 's/^ *Host CPU: *//p')
    [ -n "$name" ] || fail "LLVM does not say which CPU this is; name the output yourself: scripts/run TP -o FILE"
    echo "$name"
}

# step NAME COMMAND...: runs it in the root and says how long it took.
step() {
    local name=$1 start=$SECONDS
    shift
    echo "== $name"
    in_root "$@" || { echo "== $name: FAILED after $((SECONDS - start)) s"; exit 1; }
    echo "== $name: $((SECONDS - start)) s"
}

# ---- Tests side by side -----------------------------------------------------------------------

# side_by_side PROGRAM...: runs test programs, as many at once as there are cores. Each says what it has
# to say when it ends, and how long it took.
side_by_side() {
    printf '%s\n' "$@" | xargs -P "$(getconf _NPROCESSORS_ONLN)" -I '{}' \
        bash -c '. "$1" && test_program "$2"' - "$root/scripts/lib.sh" '{}'
}

# test_program NAME: runs one.
test_program() {
    local name=$1 start=$SECONDS log failed=0
    log=$(mktemp)
    in_root cargo test --locked --quiet --no-fail-fast --test "$name" > "$log" 2>&1 || failed=$?
    # In one piece, whatever others say meanwhile.
    printf '%s\n-- %s: %s s\n' "$(cat "$log")" "$name" "$((SECONDS - start))"
    rm -f "$log"
    return "$failed"
}

# ---- Steps beside others --------------------------------------------------------------------

lane=       # the process group that carries them out
lane_log=   # what they said, until it is their turn

# beside COMMAND...: carries it out beside what follows, until `join_lane`. For what compiles and waits
# for downloads: nothing that measures may run meanwhile.
beside() {
    lane_log=$(mktemp)
    trap abandon EXIT
    # A process group of its own, which can be ended as a whole.
    set -m
    "$@" > "$lane_log" 2>&1 < /dev/null &
    lane=$!
    set +m
}

# Waits for it, and prints what it said; ends where it failed.
join_lane() {
    local failed=0
    wait "$lane" || failed=$?
    lane=
    cat "$lane_log"
    [ "$failed" -eq 0 ] || exit "$failed"
}

# The end of the script, whatever the reason: nothing is left that nobody waits for.
abandon() {
    [ -z "$lane" ] || kill -- "-$lane" 2> /dev/null || true
    rm -f "$lane_log"
}
