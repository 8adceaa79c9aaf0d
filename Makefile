# What can be done here, each in a line or two. `make run` and `make test` are all a newcomer needs.
.PHONY: run demo test lint bench load fuzz

run: ## Everything in one process on an embedded database.
	cargo run --release -- dev

demo: ## Two guests play a whole game and check its log.
	cargo build --release
	cargo run --release -p astragal-tests --example demo

test: lint ## Everything that can be checked.
	cargo build
	cargo test --workspace

lint: ## Formatting and lints; warnings are errors.
	cargo fmt --all -- --check
	cargo clippy --workspace --all-targets -- -D warnings

bench: ## Ratios and times of the pure core.
	cargo bench -p astragal-rules

load: ## The load tool against a server of its own; figures as JSON.
	cargo build --release
	cargo run --release -p astragal-tests --bin astragal-load -- --spawn --tables 200 --seconds 20 --json

fuzz: ## The strict reader and the draw under a fuzzer, a minute each (needs cargo-fuzz).
	mkdir -p tests/fuzz/corpus/log_reader
	cd tests/fuzz && cargo fuzz run -s none log_reader corpus/log_reader seeds/log_reader -- -max_total_time=60
	cd tests/fuzz && cargo fuzz run -s none draw -- -max_total_time=60
