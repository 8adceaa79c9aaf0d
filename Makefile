# What can be done here, each in a line or two. `make run` and `make test` are all a newcomer needs.
.PHONY: run demo test lint bench load fuzz web chromium databases python screenshots deploy-check

WEB := gateway/web
WEB_SOURCES := $(shell find $(WEB) proto/astragal/gateway -type f \
	-not -path '*/node_modules/*' -not -path '*/dist/*' -not -path '*/generated/*' -not -path '*/screenshots/*' -not -path '*/tests/*')

run: web ## Everything in one process on an embedded database.
	cargo run --release -- dev

demo: ## Two guests play a whole game and check its log.
	cargo build --release
	cargo run --release -p astragal-tests --example demo

test: lint web chromium databases python ## Everything that can be checked.
	cargo build
	cargo test --workspace
	cd $(WEB) && npm run check && npm test

deploy-check: web databases ## The image with its roles, the manifests, the crates: some minutes, and more tools.
	deploy/check.sh

lint: ## Formatting and lints; warnings are errors.
	cargo fmt --all -- --check
	cargo clippy --workspace --all-targets -- -D warnings

ifeq ($(shell command -v npm),)
web: ## Without Node.js the program is built all the same, and its page says what is missing.
	@echo "no Node.js here, so the web client is not built"
else
web: $(WEB)/dist/index.html ## The web client, if its sources have changed.
endif

$(WEB)/dist/index.html: $(WEB)/node_modules/.package-lock.json $(WEB_SOURCES)
	cd $(WEB) && npm run build

$(WEB)/node_modules/.package-lock.json: $(WEB)/package.json $(WEB)/package-lock.json
	cd $(WEB) && npm ci
	@touch $@

chromium: ## A browser for the tests; elsewhere than on Debian, set CHROMIUM to one.
	@test -x "$${CHROMIUM:-/usr/bin/chromium}" || \
		{ apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium; }

databases: ## PostgreSQL and Redis for the tests, which start servers of their own.
	@test -n "$$(ls /usr/lib/postgresql/*/bin/postgres 2>/dev/null)" -a -n "$$(command -v redis-server)" || \
		{ apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends postgresql redis-server; }

python: ## For the second checker of finished games, which needs its standard library only.
	@command -v python3 >/dev/null || \
		{ apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends python3; }

screenshots: web chromium ## Pictures of every state of the page, into gateway/web/screenshots.
	cd $(WEB) && npm run screenshots

bench: web chromium databases ## Ratios and times: the pure core, the engine, the lobby, replays, the page.
	cargo bench -p astragal-rules -p astragal-engine -p astragal-matchmaking -p astragal-replay
	cargo build
	cd $(WEB) && npm run speed

load: databases ## The load tool against a server of its own, whole and in roles apart; figures as JSON.
	cargo build --profile dist
	ASTRAGAL_BIN=target/dist/astragal cargo run --release -p astragal-tests --bin astragal-load -- --spawn --tables 200 --seconds 20 --json
	ASTRAGAL_BIN=target/dist/astragal cargo run --release -p astragal-tests --bin astragal-load -- --apart --tables 200 --seconds 20 --json

fuzz: ## The strict reader and the draw under a fuzzer, a minute each (needs cargo-fuzz).
	mkdir -p tests/fuzz/corpus/log_reader
	cd tests/fuzz && cargo fuzz run -s none log_reader corpus/log_reader seeds/log_reader -- -max_total_time=60
	cd tests/fuzz && cargo fuzz run -s none draw -- -max_total_time=60
