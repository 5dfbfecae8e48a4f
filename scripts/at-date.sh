#!/usr/bin/env bash
# Runs a command on a machine whose clock shows another time (UTC): bash scripts/at-date.sh 2028-02-29T12:00 npx vitest run test/time
# The clock continues from that time. libfaketime (package faketime) changes the clock of every process, also of a process with an empty
# environment: the command has its own /etc, which names the library. The times of files stay real.
set -euo pipefail
[ $# -ge 2 ] || { echo 'usage: at-date.sh <YYYY-MM-DDTHH:MM> <command>…' >&2; exit 2; }
at=$1
shift
library=$(find /usr/lib /usr/lib64 -path '*/faketime/libfaketimeMT.so.1' 2>/dev/null | head -1)
[ -n "$library" ] || { echo 'at-date.sh needs libfaketime: apt-get install faketime' >&2; exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -a /etc "$scratch/etc"
echo "$library" >"$scratch/etc/ld.so.preload"
difference=$(($(date -u -d "$at" +%s) - $(date +%s)))
[ "$difference" -lt 0 ] || difference=+$difference
echo "$difference" >"$scratch/etc/faketimerc"
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(--map-current-user --keep-caps)
# The monotonic clock of Node stays real: only the date changes.
FAKETIME_DONT_FAKE_MONOTONIC=1 unshare "${as_root[@]}" --mount bash -c 'mount --bind "$1/etc" /etc; shift; exec "$@"' - "$scratch" "$@"
