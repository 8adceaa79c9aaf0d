#!/bin/sh
# Makes what compose.yaml is given and nobody else may read: the key that signs tokens, its public part, a token for
# the gateways, the database's password. What is there already stays. Needs openssl, and the image or a binary:
#
#   ./secrets.sh                          the token is signed by the image that compose builds
#   ASTRAGAL=target/release/astragal ./secrets.sh
set -eu
[ -z "${ASTRAGAL:-}" ] || ASTRAGAL=$(realpath "$ASTRAGAL")
cd "$(dirname "$0")"

# The folder keeps others out; the files are readable, since a container's user is another one than yours.
umask 022
mkdir -p secrets
chmod 700 secrets

[ -s secrets/key.pem ] || openssl genpkey -algorithm ed25519 -out secrets/key.pem
chmod 644 secrets/key.pem
[ -s secrets/key.pub.pem ] || openssl pkey -in secrets/key.pem -pubout -out secrets/key.pub.pem
[ -s .env ] || (umask 077 && echo "POSTGRES_PASSWORD=$(openssl rand -hex 24)" > .env)

sign() { # as a service, for a year
    set -- token --role service --lifetime 365d
    if [ -n "${ASTRAGAL:-}" ]; then
        "$ASTRAGAL" "$@" --token-key secrets/key.pem
    else
        docker compose run --rm --no-deps -T matchmaking "$@"
    fi
}
if [ ! -s secrets/service.token ]; then
    sign > secrets/service.token.new
    mv secrets/service.token.new secrets/service.token
fi
