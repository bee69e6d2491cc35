#!/usr/bin/env bash
# scripts/package.sh: builds for any processor of this architecture, and makes build/package/simrun_*.deb of it.
source "$(dirname "${BASH_SOURCE[0]}")/lib/setup.sh"
WITH_DEB=1 install_missing
build package
(cd build/package && cpack -G DEB >package.log 2>&1) || { cat build/package/package.log >&2; give_up "cpack could not make the package"; }
say "package: $(ls -t "$PWD"/build/package/simrun_*.deb | head -1)"
