#!/bin/sh
# prebuilt/page.html is what `npm run build` makes of web/: scripts and styles, without the engine. It is in git so that
# only those who change the page need Node.js.
#
#   page.sh record            write the hash of what it is made of: the last step of `npm run build`
#   page.sh is-current        fail if that has changed since
#   page.sh compare           fail unless a new build gives the same bytes; needs Node.js and the packages of web/
#   page.sh embed WASM PAGE   write PAGE, prebuilt/page.html with the engine in it, and the importer from beside WASM
set -eu
web=$(cd "$(dirname "$0")/.." && pwd)
prebuilt=$web/prebuilt/page.html
recorded=$web/prebuilt/inputs.sha256
max_engine_bytes=307000 # packed: what it is now and little more, so that whatever makes the page larger is decided
max_importer_bytes=120000 # packed
placeholder='<!-- callcost:data -->'

inputs_hash() {
    cd "$web"
    find src build package-lock.json page.html tsconfig.json vite.config.ts -type f \
        ! -name '.*' ! -name '*~' ! -name '*.sh' | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -d ' ' -f 1
}

record() { (inputs_hash) >"$recorded"; }

is_current() {
    [ -e "$prebuilt" ] && [ "$(cat "$recorded")" = "$(inputs_hash)" ] && return
    echo "web/prebuilt/page.html is not made of what is in web/ now: ./dev page" >&2
    return 1
}

compare() {
    fresh=$(mktemp -d)
    trap 'rm -rf "$fresh"' EXIT
    cd "$web"
    npm exec --silent -- vite build --logLevel warn --outDir "$fresh" --emptyOutDir
    cmp "$prebuilt" "$fresh/page.html" && return
    echo "web/prebuilt/page.html is not what 'npm run build' makes: ./dev page" >&2
    return 1
}

# block WASM NAME MOST: a line of base64, packed by Zstandard, that the page unpacks.
block() {
    zstd -q --ultra -22 -c "$1" >"$packed" # a tenth less than gzip's format at its best
    size=$(wc -c <"$packed")
    if [ "$size" -gt "$3" ]; then
        echo "the page's $2 is $size bytes compressed, more than $3 (web/build/page.sh)" >&2
        return 1
    fi
    printf '    <script type="application/octet-stream;base64" id="%s">' "$2"
    base64 -w 0 "$packed"
    printf '</script>\n'
}

embed() {
    packed=$(mktemp)
    trap 'rm -f "$packed"' EXIT
    mkdir -p "$(dirname "$2")"
    {
        sed "/$placeholder/,\$d" "$prebuilt"
        block "$1" engine $max_engine_bytes
        block "$(dirname "$1")/importer.wasm" importer $max_importer_bytes
        sed -n "/$placeholder/,\$p" "$prebuilt"
    } >"$2.new"
    mv "$2.new" "$2"
}

case ${1-} in
    record) record ;;
    is-current) is_current ;;
    compare) compare ;;
    embed) embed "$2" "$3" ;;
    *) sed -n '5,8s/^# *//p' "$0" >&2; exit 2 ;;
esac
