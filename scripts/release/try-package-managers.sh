#!/usr/bin/env bash
# Installs the npm package of a directory with npm 10, 11 and 12, pnpm and yarn, each into an empty home without a connection, and fails for a
# warning: bash scripts/release/try-package-managers.sh release
# Downloads the package managers with npm. bubblewrap (a package of Debian) takes the connection away.
set -euo pipefail
package=$(realpath "${1:?Give the directory of the release.}"/svc-cli-*.tgz)
node=$(dirname "$(realpath "$(command -v node)")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export COREPACK_ENABLE_STRICT=0
for manager in npm@10 npm@11 npm@12 pnpm@10 yarn@1; do
  home=$scratch/$manager
  mkdir -p "$home/global/bin"
  npm install --silent --no-save --prefix "$home/manager" "$manager"
  program=$home/manager/node_modules/.bin/${manager%@*}
  case $manager in
    npm*) install="install --global --offline --no-audit --no-fund --prefix $home/global $package" ;;
    pnpm*) install="add --global --offline $package" ;;
    yarn*) install="global add --offline --prefix $home/global file:$package" ;;
  esac
  offline() {
    bwrap --unshare-net --bind / / --dev /dev --proc /proc --clearenv --setenv HOME "$home" --setenv PNPM_HOME "$home/global/bin" \
      --setenv PATH "$home/global/bin:$node:/usr/bin:/bin" --chdir "$home" "$@"
  }
  echo "== $manager $("$program" --version): $install"
  offline "$program" $install 2>&1 | tee "$home/log"
  if grep -iE 'warn|blocked|error' "$home/log"; then echo "$manager printed a warning." && exit 1; fi
  offline svc --version
  offline svc worklogs add --help >/dev/null
done
