#!/bin/sh
# Runs svc with the Node of its own directory. Package managers link this file, so it follows the links first.
self=$0
while [ -L "$self" ]; do
  link=$(readlink "$self")
  case $link in
    /*) self=$link ;;
    *) self=$(dirname "$self")/$link ;;
  esac
done
place=$(cd "$(dirname "$self")/../lib/svc" && pwd -P) || exit 1
exec "$place/node" "$place/bin/svc.js" "$@"
