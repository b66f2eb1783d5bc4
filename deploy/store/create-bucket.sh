#!/bin/sh
# Creates the shop's bucket, and the user "meridian" that may do in it what the shop does, and
# nothing else. The certificate is the operator's own, on a network of these containers only.
set -eu
store() { mc --config-dir /tmp/mc --insecure "$@"; }
# The store may still be starting. A wrong password fails the same way: give up after two minutes.
tries=120
until store alias set store https://store:9000 root "$STORE_ROOT_PASSWORD"; do
  tries=$((tries - 1))
  [ "$tries" -gt 0 ] || exit 1
  sleep 1
done
store mb --ignore-existing store/files
store admin policy create store shop-files /policy.json
store admin user add store meridian "$STORE_PASSWORD"
# Attaching it again would be an error.
case "$(store admin user info store meridian)" in
  *shop-files*) ;;
  *) store admin policy attach store shop-files --user meridian ;;
esac
