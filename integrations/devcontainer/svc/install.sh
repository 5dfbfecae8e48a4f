#!/bin/sh
# Installs a version of svc if its archive has the given SHA-256. The variables are the options of devcontainer-feature.json, and PREFIX
# (/usr/local). The digest is in SHA256SUMS of the release.
set -eu
: "${VERSION:?Give the version of svc.}" "${SHA256:?Give the SHA-256 of the archive.}"
releases=${RELEASES:-https://forge.example/svc/svc/releases}
prefix=${PREFIX:-/usr/local}
case $(uname -s)-$(uname -m) in
  Linux-x86_64) system=linux-x64 ;;
  Linux-aarch64) system=linux-arm64 ;;
  Darwin-arm64) system=darwin-arm64 ;;
  Darwin-x86_64) system=darwin-x64 ;;
  *) echo "svc has no archive for $(uname -s) $(uname -m)." >&2 && exit 1 ;;
esac
name=svc-$VERSION-$system
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
curl --fail --silent --show-error --location --output "$work/$name.tar.gz" "$releases/download/v$VERSION/$name.tar.gz"
if command -v sha256sum >/dev/null; then found=$(sha256sum "$work/$name.tar.gz"); else found=$(shasum -a 256 "$work/$name.tar.gz"); fi
if [ "${found%% *}" != "$SHA256" ]; then
  echo "$name.tar.gz has the SHA-256 ${found%% *}, but $SHA256 was given. Nothing was installed." >&2
  exit 1
fi
mkdir -p "$prefix"
tar -xzf "$work/$name.tar.gz" --strip-components=1 -C "$prefix"
"$prefix/bin/svc" --version
