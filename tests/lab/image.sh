#!/bin/bash
# image.sh - makes the laboratory's kernel, first file system, root image and keys from Debian packages.
#
# usage: image.sh FOLDER
#
# apt resolves the packages as for an empty system, with this machine's sources, and fetches them
# into FOLDER/apt. They are unpacked, never installed, so that no maintainer script runs and this
# machine gets nothing. Root is needed for the owners of files and for chroot. What is there and
# made from the same scripts is kept.
set -euo pipefail
umask 022

here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${1:?usage: image.sh FOLDER}"
folder=$(cd "$1" && pwd)

# The cloud kernel has ext4 built in and few drivers: it starts fastest under emulation.
packages=(
    linux-image-cloud-amd64 busybox-static
    base-files base-passwd bash coreutils dash debianutils findutils grep hostname iproute2
    iputils-ping kmod libc-bin mawk mount netbase passwd procps sed tar util-linux
    openssh-client openssh-server
    nfs-common nfs-kernel-server rpcbind
    cifs-utils samba
    dmsetup e2fsprogs lvm2 mdadm
    ethtool fio iperf3 sudo
)

# Dependencies that nothing here runs; Perl and Python alone are half of the whole.
unused='^(adduser|bsdextrautils|debconf|dmeventd|dpkg|init-system-helpers|initramfs-tools.*'
unused+='|libperl[0-9.]*|libpython3.*|linux-base|lsb-base|media-types|perl|perl-base'
unused+='|perl-modules-.*|python3.*|sensible-utils|ucf|udev)$'

# Modules that are kept, by their paths below kernel/.
modules='^(arch/x86/crypto|block|crypto|lib|drivers/(block|char/hw_random|md|scsi|virtio)'
modules+='|drivers/net/(net_failover|virtio_net)|fs/(fscache|lockd|netfs|nfs|nfs_common|nfsd|nls'
modules+='|smb|cifs)|net/(core|dns_resolver|ipv4|ipv6|sched|sunrpc))'

left_out=(doc man info locale bash-completion lintian bug perl5 zoneinfo)

fail() {
    echo "image.sh: $*" >&2
    exit 1
}

# Leaves the names of the archives in $work/archives.
fetch() {
    local apt=(apt-get -qq -y -o Dir::State::status="$work/status" -o Debug::NoLocking=1
        -o Dir::State::extended_states="$work/extended" -o APT::Sandbox::User=root
        -o APT::Install-Recommends=false)
    mkdir -p "$folder/apt/partial" "$work/none/partial"
    : >"$work/status"
    "${apt[@]}" -o Dir::Cache::archives="$work/none" --print-uris install "${packages[@]}" |
        awk '/^\x27/ {print $2}' >"$work/archives" &&
        "${apt[@]}" -o Dir::Cache::archives="$folder/apt" --download-only install "${packages[@]}"
}

unpack() {
    local archive name
    mkdir -p "$root/usr"
    for name in bin sbin lib lib64; do
        mkdir "$root/usr/$name"
        ln -s "usr/$name" "$root/$name"
    done
    while read -r archive; do
        name=${archive%%_*}
        [[ ! $name =~ $unused ]] || continue
        dpkg-deb --fsys-tarfile "$folder/apt/$archive" |
            tar -xpf - -C "$root" --keep-directory-symlink \
                "${left_out[@]/#/--exclude=./usr/share/}" --exclude='./usr/lib/*/gconv'
    done <"$work/archives"
}

# Takes the kernel out of the root and thins its modules; sets version.
kernel() {
    local tree module
    version=$(basename "$root"/usr/lib/modules/*)
    tree=$root/usr/lib/modules/$version/kernel
    cp "$root/boot/vmlinuz-$version" "$work/vmlinuz"
    rm -rf "${root:?}/boot"
    find "$tree" -name '*.ko' -printf '%P\n' | grep -Ev "$modules" | sed "s|^|$tree/|" | xargs -r rm
    # The names of trace points take up to a second per module to load under emulation.
    if command -v objcopy >/dev/null; then
        find "$tree" -name '*.ko' | while read -r module; do
            objcopy -R _ftrace_eval_map -R .rela_ftrace_eval_map "$module"
        done
    fi
    chroot "$root" depmod -a "$version"
}

# What the maintainer scripts would have set up, as far as the laboratory needs it.
configure() {
    local etc=$root/etc name
    sed 's|^root:[^:]*:|root:x:|' "$root/usr/share/base-passwd/passwd.master" >"$etc/passwd"
    cp "$root/usr/share/base-passwd/group.master" "$etc/group"
    {
        echo 'sshd:x:101:65534::/run/sshd:/usr/sbin/nologin'
        echo '_rpc:x:102:65534::/run/rpcbind:/usr/sbin/nologin'
        echo 'statd:x:103:65534::/var/lib/nfs:/usr/sbin/nologin'
        echo 'bench:x:1000:1000::/tmp:/bin/sh'
        echo 'admin:x:1001:1001::/var/admin:/bin/sh'
    } >>"$etc/passwd"
    printf '%s\n' bench:x:1000: admin:x:1001: >>"$etc/group"
    sed 's/:.*/:*:19000:0:99999:7:::/' "$etc/passwd" >"$etc/shadow" # no password opens anything
    chmod 640 "$etc/shadow"
    for name in passwd group shadow hosts services protocols rpc; do
        echo "$name: files"
    done >"$etc/nsswitch.conf"
    ln -sf ../proc/self/mounts "$etc/mtab"
    ln -sf mawk "$root/usr/bin/awk"
    [ -e "$root/usr/bin/which" ] || ln -s which.debianutils "$root/usr/bin/which"
    [ -e "$root/usr/bin/sh" ] || ln -s dash "$root/usr/bin/sh"
    mkdir -p "$root"/var/lib/nfs/{sm,sm.bak,rpc_pipefs,nfsdcld} \
        "$root"/var/lib/samba/private "$root"/var/log/samba "$root"/run/samba "$etc/samba"
    touch "$root"/var/lib/nfs/{etab,rmtab,state}
    chown -R 103:65534 "$root"/var/lib/nfs/{sm,sm.bak,state}
    ldconfig -r "$root"
}

# The NAS's account that is not root: it may do everything by sudo, and has no password.
sudoer() {
    local step
    echo 'auth required pam_deny.so' >"$root/etc/pam.d/other" # else it includes what is not there
    echo 'admin ALL=(root) NOPASSWD: ALL' >"$root/etc/sudoers"
    chmod 440 "$root/etc/sudoers"
    for step in auth account session; do
        echo "$step sufficient pam_permit.so"
    done >"$root/etc/pam.d/sudo"
    mkdir -p "$root/var/admin"
    cp -r "$root/root/.ssh" "$root/var/admin/"
    chown -R 1001:1001 "$root/var/admin"
}

# Files of the laboratory itself, and the user `bench` of the SMB share with a password made here.
own_files() {
    local password
    cp -r "$here/guest/etc/." "$root/etc/"
    cp -r "$here/guest/lab" "$root/lab"
    chmod 755 "$root"/lab/*
    password=$(head -c 18 /dev/urandom | base64 | tr '+/' 'xy')
    printf '%s\n%s\n' "$password" "$password" | chroot "$root" smbpasswd -s -a bench >/dev/null
    printf 'username=bench\npassword=%s\n' "$password" >"$root/etc/smb-credentials"
    chmod 600 "$root/etc/smb-credentials"
}

# One key opens both machines; both have the same host key.
keys() {
    mkdir -p "$root/root"
    mkdir -m 700 "$work/keys" "$root/root/.ssh"
    ssh-keygen -q -t ed25519 -N '' -C nasgate-lab -f "$work/keys/login"
    ssh-keygen -q -t ed25519 -N '' -C nasgate-lab-host -f "$work/host"
    cp "$work/keys/login.pub" "$root/root/.ssh/authorized_keys"
    cp "$work/host" "$root/etc/ssh/ssh_host_ed25519_key"
    chmod 600 "$root/root/.ssh/authorized_keys" "$root/etc/ssh/ssh_host_ed25519_key"
    echo "nas,backup $(cut -d ' ' -f 1,2 "$work/host.pub")" >"$work/keys/known_hosts"
}

# The first file system: BusyBox and the modules that the root disk needs, in their order.
first_files() {
    local first=$work/first module
    mkdir -p "$first/bin" "$first/modules"
    cp "$root/usr/bin/busybox" "$first/bin/"
    cp "$here/guest/init" "$first/init"
    chmod 755 "$first/init"
    chroot "$root" modprobe -a -D -S "$version" virtio_pci virtio_blk |
        awk '$1 == "insmod" && !seen[$2]++ {print $2}' |
        while read -r module; do
            cp "$root$module" "$first/modules/"
            basename "$module" >>"$first/modules/order"
        done
    (cd "$first" && find . | bin/busybox cpio -o -H newc 2>/dev/null) >"$work/first.cpio"
}

root_image() {
    local size
    size=$(du -sm --apparent-size "$root" | cut -f 1)
    truncate -s $((size * 11 / 10 + 96))M "$work/root.img"
    mke2fs -q -F -t ext4 -O ^has_journal,^resize_inode -m 0 -d "$root" "$work/root.img"
}

stamp=$(find "$here/image.sh" "$here/guest" -type f -print0 | sort -z | xargs -0 cat | sha256sum)
if [ "$(cat "$folder/image/stamp" 2>/dev/null)" = "$stamp" ]; then
    echo "the laboratory's image is up to date"
    exit
fi
[ "$(id -u)" = 0 ] || fail "must run as root: it sets the owners of files"
for tool in apt-get awk chroot dpkg-deb ldconfig mke2fs sha256sum ssh-keygen tar; do
    command -v "$tool" >/dev/null || fail "$tool is missing"
done
work=$(mktemp -d "$folder/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
root=$work/root
if ! fetch 2>"$work/apt.log"; then
    echo "apt's lists may be old: they are fetched anew"
    apt-get -qq update || true
    fetch || fail "apt cannot fetch the packages"
fi
unpack
kernel
configure
own_files
keys
sudoer
first_files
root_image
rm -rf "$folder/image" "$root"
mkdir "$folder/image"
mv "$work"/{vmlinuz,first.cpio,root.img,keys} "$folder/image/"
echo "$stamp" >"$folder/image/stamp"
# With sudo, the one who asked shall be able to start the machines.
[ -z "${SUDO_UID:-}" ] || chown -R "$SUDO_UID:${SUDO_GID:-0}" "$folder/image"
echo "the laboratory's image is made, after $SECONDS s: $(du -sm "$folder/image" | cut -f 1) MiB"
