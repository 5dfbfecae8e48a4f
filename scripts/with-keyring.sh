#!/bin/sh
# Runs a command in a separate session with an unlocked Secret Service (gnome-keyring). The session has a new D-Bus and a new
# HOME, which are deleted at the end. For tests that need a real keychain on a machine without a desktop.
#
#   scripts/with-keyring.sh node_modules/.bin/vitest run test/auth/keychain-real.test.ts
#
# Needs (Debian, Ubuntu): apt-get install gnome-keyring libsecret-1-0 libsecret-tools dbus
set -eu

if [ "${SVC_KEYRING_SESSION:-}" != started ]; then
  for program in dbus-run-session gnome-keyring-daemon secret-tool gdbus; do
    command -v "$program" >/dev/null || { echo "with-keyring: $program is not installed" >&2; exit 69; }
  done
  HOME=$(mktemp -d)
  export HOME SVC_KEYRING_SESSION=started
  unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME DBUS_SESSION_BUS_ADDRESS GNOME_KEYRING_CONTROL
  XDG_RUNTIME_DIR=$HOME/run
  export XDG_RUNTIME_DIR
  mkdir -m 700 "$XDG_RUNTIME_DIR"
  trap 'rm -rf "$HOME"' EXIT
  status=0
  dbus-run-session -- "$0" "$@" || status=$?
  exit "$status"
fi

# Without these two directories, the daemon answers but stores nothing.
mkdir -p "$HOME/.local/share/keyrings" "$HOME/.cache"
printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null

# The daemon returns before its name is on the bus, so the script checks the bus for up to ten seconds.
tries=0
until gdbus call --session --dest org.freedesktop.DBus --object-path /org/freedesktop/DBus \
  --method org.freedesktop.DBus.NameHasOwner org.freedesktop.secrets | grep -q true; do
  tries=$((tries + 1))
  [ "$tries" -lt 100 ] || { echo 'with-keyring: no Secret Service came up' >&2; exit 69; }
  sleep 0.1
done

# Stops if the keychain cannot store a secret, because no test would work.
printf proof | secret-tool store --label=proof svc-keyring proof
[ "$(secret-tool lookup svc-keyring proof)" = proof ] || { echo 'with-keyring: the keyring lost a secret' >&2; exit 69; }
secret-tool clear svc-keyring proof

exec "$@"
