#!/usr/bin/env bash
# Checks the packages for Linux x64 of a directory: bash scripts/release/try-linux-packages.sh release
# Installs, upgrades and removes them in a new Debian root and, for rpm, in an empty root with Debian's libraries. Needs root, lintian, rpm,
# rpmlint and mmdebstrap.
set -euo pipefail
release=$(realpath "${1:?Give the directory of the release.}")
here=$(dirname "$(realpath "$0")")
deb=$(echo "$release"/svc-cli_*_amd64.deb)
rpm=$(echo "$release"/svc-cli-*.x86_64.rpm)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
root=$scratch/root

lintian --allow-root --fail-on=error,warning "$release"/*.deb
rpmlint --strict --config "$here/rpmlint.toml" "$release"/*.rpm

mmdebstrap --quiet --variant=essential --include=libatomic1,libstdc++6,bash-completion,man-db bookworm "$root"
files() { (cd "$root" && find . -path ./var -prune -o -type f -print | sort); }
# What any install changes, apart from the package.
files >"$scratch/before"
cp "$deb" "$root/tmp/one.deb"
chroot "$root" dpkg --install /tmp/one.deb
chroot "$root" svc --version
chroot "$root" svc worklogs add --help >/dev/null
chroot "$root" sh -c 'cd /root && svc config list >/dev/null'
chroot "$root" test -s /usr/share/man/man1/svc-worklogs.1.gz
chroot "$root" bash -c '. /usr/share/bash-completion/bash_completion && _completion_loader svc; complete -p svc'
chroot "$root" test -s /usr/share/zsh/vendor-completions/_svc -a -s /usr/share/fish/vendor_completions.d/svc.fish

# The same package with a later version.
dpkg-deb --raw-extract "$deb" "$scratch/later"
sed -i 's/^Version: .*/Version: 999-1/' "$scratch/later/DEBIAN/control"
dpkg-deb --build --root-owner-group -Zgzip -z1 "$scratch/later" "$root/tmp/later.deb" >/dev/null
chroot "$root" dpkg --install /tmp/later.deb
test "$(chroot "$root" dpkg-query --show --showformat '${Version}' svc-cli)" = 999-1
chroot "$root" svc --version
chroot "$root" dpkg --purge svc-cli
rm "$root/tmp/one.deb" "$root/tmp/later.deb"
rm -rf "$root/root/.cache" "$root/root/.config" "$root/root/.local"
files >"$scratch/after"
diff "$scratch/before" "$scratch/after"
echo 'deb: installed, upgraded and removed'

# Debian's database does not know rpm's names of the libraries.
rpm --root "$root" --initdb
rpm --root "$root" --install --nodeps "$rpm"
rpm --root "$root" --verify svc-cli --nodeps
chroot "$root" svc --version
rpm --root "$root" --upgrade --nodeps --replacepkgs "$rpm"
rpm --root "$root" --erase svc-cli
test ! -e "$root/usr/bin/svc" -a ! -e "$root/usr/lib/svc"
echo 'rpm: installed, upgraded and removed'

# The image, without a container engine: its layer in a sandbox, as its user.
image=$(echo "$release"/svc-*-oci-linux-x64.tar)
mkdir "$scratch/image" "$scratch/layer"
tar -xf "$image" -C "$scratch/image"
blob() { echo "$scratch/image/blobs/sha256/${1#sha256:}"; }
manifest=$(blob "$(jq -r '.manifests[0].digest' "$scratch/image/index.json")")
configuration=$(blob "$(jq -r .config.digest "$manifest")")
layer=$(blob "$(jq -r '.layers[0].digest' "$manifest")")
for file in "$scratch"/image/blobs/sha256/*; do
  echo "$(basename "$file")  $file" | sha256sum --check --quiet
done
test "$(gzip -dc "$layer" | sha256sum | cut -d ' ' -f 1)" = "$(jq -r '.rootfs.diff_ids[0] | ltrimstr("sha256:")' "$configuration")"
tar -xzf "$layer" -C "$scratch/layer"
id=$(jq -r '.config.User' "$configuration" | cut -d : -f 1)
mapfile -t environment < <(jq -r '.config.Env[] | "--setenv", (. | split("=")[0]), (. | split("=")[1:] | join("="))' "$configuration")
inside() {
  bwrap --unshare-all --uid "$id" --gid "$id" --bind "$scratch/layer" / --proc /proc --dev /dev --tmpfs /tmp --tmpfs /home/svc --clearenv \
    "${environment[@]}" --chdir /home/svc "$@"
}
inside svc --version
inside sh -c 'test "$(id -un)" = svc && svc config set output json && svc config get output && grep -q "^oci$" /usr/local/lib/svc/installed-by'
echo 'image: run as its user'
