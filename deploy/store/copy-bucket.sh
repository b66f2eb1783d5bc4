#!/bin/sh
# Copies the bucket into a folder of the day. What did not change since the last copy is a hard link
# to it: the shop never rewrites an object. Deletes copies older than 30 days, which is also how long
# a deleted file stays in them (docs/operations.md, "When a deleted key is gone").
set -eu
cd "${1:-/backups-files}"
store() { mc --config-dir /tmp/mc --insecure "$@"; }
store alias set store https://store:9000 root "$STORE_ROOT_PASSWORD"
today=$(date -u +%Y-%m-%d)
last=
for copy in ????-??-??; do
  if [ -d "$copy" ]; then last=$copy; fi
done
rm -rf -- *.partial
if [ -n "$last" ]; then cp -al "$last" "$today.partial"; else mkdir "$today.partial"; fi
store mirror --overwrite --remove store/files "$today.partial"
rm -rf "$today"
mv "$today.partial" "$today"
oldest=$(date -u -d '30 days ago' +%Y-%m-%d)
for copy in ????-??-??; do
  # Not every sh has < in test.
  if expr "$copy" \< "$oldest" >/dev/null; then rm -rf "$copy"; fi
done
echo "copy=$today"
