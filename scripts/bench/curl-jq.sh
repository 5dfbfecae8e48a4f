#!/bin/sh
# Reads pages in a shell loop, as a baseline. It fetches a page with curl, and finds the rows and the next URL with jq.
#   sh scripts/bench/curl-jq.sh <url> <file>
url=$1
: > "$2"
while [ "$url" != null ]; do
  page=$(curl -s "$url")
  printf '%s' "$page" | jq -c '.data[]' >> "$2"
  url=$(printf '%s' "$page" | jq -r '.links.next')
done
