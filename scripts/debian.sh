# Debian's packages without installing them: unpacked under a folder, for any user and beside
# whatever the system has. Sourced after lib.sh, not run.

# Where apt keeps the indices and packages of these scripts, apart from the system's.
apt_home=$target/cross/apt

# debian_unpack SUITE FOLDER PACKAGE...: unpacks packages of a suite (`release` for the one that
# this machine runs, else a name such as sid) into a folder, unless exactly they are there.
debian_unpack() {
    local suite=$1 folder=$2 wanted
    shift 2
    wanted="$suite: $*"
    [ "$(cat "$folder/.unpacked" 2> /dev/null)" = "$wanted" ] && return
    rm -rf "$folder"
    mkdir -p "$folder/.packages"
    debian_download "$suite" "$folder/.packages" "$@"
    local package
    for package in "$folder"/.packages/*.deb; do
        dpkg -x "$package" "$folder" || fail "cannot unpack $package"
    done
    rm -rf "$folder/.packages"
    echo "$wanted" > "$folder/.unpacked"
}

# debian_download SUITE FOLDER PACKAGE...
debian_download() {
    local suite=$1 folder=$2
    shift 2
    (cd "$folder" && debian_apt "$suite" apt-get -qq download "$@" > /dev/null) ||
        fail "Debian's suite '$suite' does not give $*: see the message above"
}

# debian_apt SUITE COMMAND...: a command of apt that sees one suite only.
debian_apt() {
    local suite=$1 home=$apt_home/$1
    shift
    [ -e "$home/updated" ] || debian_update "$suite" "$home"
    APT_CONFIG=$home/apt.conf "$@"
}

debian_update() {
    local suite=$1 home=$2
    rm -rf "$home"
    mkdir -p "$home/lists/partial" "$home/cache/archives/partial"
    debian_sources "$suite" > "$home/sources.list" || exit
    cat > "$home/apt.conf" << END
Dir::Etc::sourcelist "$home/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::State::lists "$home/lists";
Dir::Cache "$home/cache";
APT::Sandbox::User "";
APT::Architectures { "$(dpkg --print-architecture)"; };
Acquire::Languages "none";
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
END
    APT_CONFIG=$home/apt.conf apt-get -qq update > "$home/log" 2>&1 ||
        { cat "$home/log" >&2; fail "cannot read the index of Debian's suite '$suite'"; }
    touch "$home/updated"
}

# Lines of sources.list for a suite, from the mirrors that this machine's apt is set up for; of its sources
# where `-source` stands behind its name.
debian_sources() {
    local codename keys=/usr/share/keyrings/debian-archive-keyring.gpg uri release found=
    local suite=${1%-source} kind=deb
    [ "$suite" = "$1" ] || kind=deb-src
    codename=$(. /etc/os-release && echo "$ID-${VERSION_CODENAME-}")
    case $codename in
        debian-?*) codename=${codename#debian-} ;;
        *) fail "unpacks Debian's packages, and this is no Debian release: use a machine or a container with one" ;;
    esac
    [ -e "$keys" ] || fail "needs $keys: apt-get install debian-archive-keyring"
    while IFS='|' read -r uri release; do
        case $suite-$release in
            release-"$codename" | release-"$codename-updates" | release-"$codename-security") ;;
            *-"$codename") release=$suite ;;
            *) continue ;;
        esac
        echo "$kind [signed-by=$keys] $uri $release main"
        found=1
    done < <(apt-get indextargets --format '$(REPO_URI)|$(RELEASE)' 'Created-By: Packages' 'COMPONENT: main' | sort -u)
    [ "$found" ] || fail "apt names no mirror for $codename on this machine: see /etc/apt"
}
