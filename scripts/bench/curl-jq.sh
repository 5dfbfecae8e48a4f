#!/bin/sh
# The same in the shell: curl for a page, jq for its rows and for the address of the next.
#   sh scripts/bench/curl-jq.sh <url> <file>
url=$1
: > "$2"
while [ "$url" != null ]; do
  page=$(curl -s "$url")
  printf '%s' "$page" | jq -c '.data[]' >> "$2"
  url=$(printf '%s' "$page" | jq -r '.links.next')
done
