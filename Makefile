# make run     a demo shop on http://127.0.0.1:8080
# make test    everything that is tested
# make test-clocks  the same at other hours, on other days and in other zones; hours, so see .ci/clocks for parts
# make recovery  the network or the server breaks 200 times, and nobody misses anything
# make torture   disk, database and server break 200 times on SQLite and as often on PostgreSQL, and
#                no change that was acknowledged is lost; half an hour, or TORTURE_ROUNDS, TORTURE_SEED
# make torture-cluster  three servers on a PostgreSQL with a standby: a server is killed 100 times and the primary fails 20
#                times under load, and nothing acknowledged is lost or done twice; or TORTURE_KILLS, TORTURE_FAILOVERS
# make stories  120 jobs through the built-in interviewer: what a warranty auditor finds in their stories, as a table
# make promise  how early and how rightly the promise risk warns, on simulated years beside the plain rule, as a table
# make fuzz    any bytes at the stream, for ten minutes or FUZZ_SECONDS; then other requests than make test's
# make check   format, lint, types, drift; changes nothing
# make notices  the notices of third parties, from the lock files; make check says when they are out of date
# make sbom    bills of materials of crates and npm packages (CycloneDX), in target/sbom
# make advisories  known vulnerabilities of crates and npm packages; needs a network, so that make check does not ask
# make build   the release binary, page embedded
# make packages  a static binary, a Debian package and an OCI image, in target/packages; for another machine with
#                PACKAGE_TARGET=aarch64-unknown-linux-musl
# make test-packages  installs, upgrades, restores and removes them in a Debian of their own, behind Caddy and nginx;
#                wants Debian and root, and takes some minutes after the release build
# make types   the web's types from the server's OpenAPI document
# make load    the server under load, beside its peers where they can be built; a quarter of an hour
# make bench   the product's figures on this machine, in a quarter of an hour at most
# make bench-sign-in  whether the time of a refused sign-in tells who has an account
# make bench-admission  whether an owner gets in while 400 people sign in and 1,120 networks guess
# make bench-portal  from an assignment's commit to the banner on fifty technicians' portals
# make bench-cluster  three servers on one PostgreSQL: from a commit at one to the screens of the others, and their changes a second
# make compare-api OLD=... NEW=...  the differences of two binaries' HTTP API; ACCEPT=FILE names those that are meant
# make soak-board  a month of changes on one wall board, in ten minutes
# make still-board ten minutes of a moving shop on four boards: nothing moves between two turns of a page
# make bench-desk  the page's speed in Chromium with 5,000 open orders, in ten minutes

LISTEN ?= 127.0.0.1:8080
DATA_DIR ?= data
TARGET := $(or $(CARGO_TARGET_DIR),target)
CARGO_DENY := target/licences/bin/cargo-deny

WEB_SOURCES := $(shell find web/src web/index.html web/board.html web/public web/vite.config.ts web/chunks.config.ts web/board.config.ts web/board.compatibility.ts -type f 2>/dev/null)

# The server as the Rust tests have it: chosen by its package alone it would have other features of its crates, and much
# would be compiled twice.
DEBUG_SERVER := cargo build --locked --workspace --bin dispatch --examples

.PHONY: stories promise packages test-packages notices sbom advisories supply-chain licence-tools run test test-clocks recovery torture torture-cluster fuzz check build types load bench bench-sign-in bench-admission bench-cluster bench-desk bench-portal compare-api soak-board still-board tools format rust-tests web-tests browser-tests drift

run: web/dist/index.html
	@echo "Compiling the server for a look at it: some minutes the first time. (make build makes the one to run for real.)"
	cargo build --profile trial --no-default-features --locked -p dispatch-server
	$(TARGET)/trial/dispatch serve --demo --listen $(LISTEN) --data-dir $(DATA_DIR)

# `dispatch --version` and the page say which commit a release build is of.
run build packages test-packages torture torture-cluster load bench bench-portal bench-sign-in bench-admission bench-cluster bench-desk soak-board still-board: export BUILD_COMMIT = $(shell git describe --always --dirty --abbrev=12 --exclude '*' 2>/dev/null)

build: web/dist/index.html
	cargo build --release --locked -p dispatch-server

packages: web/dist/index.html
	server/packaging/build $(TARGET)/packages

test-packages:
	.ci/tools packages
	$(MAKE) packages
	PACKAGES=$(abspath $(TARGET))/packages target/python/bin/python -m unittest discover --verbose --start-directory server/packaging/tests

web/node_modules/.package-lock.json: web/package.json web/package-lock.json
	@echo "Fetching what the page is built with"
	cd web && npm ci --no-audit --no-fund
	touch $@

web/dist/index.html: web/node_modules/.package-lock.json $(WEB_SOURCES)
	@echo "Building the page"
	cd web && npm run build

tools:
	.ci/tools

test: tools rust-tests web-tests browser-tests

rust-tests: tools web/dist/index.html
	cargo test --locked --workspace
	cargo build --locked --workspace --bins --examples
	TORTURE_ROUNDS=6 TORTURE_SEED=4389 TORTURE_GRACE=15 $(TARGET)/debug/loadtest run torture $(TARGET)/debug
	TORTURE_KILLS=3 TORTURE_FAILOVERS=2 TORTURE_SEED=4389 TORTURE_GRACE=15 $(TARGET)/debug/loadtest run chaos-cluster $(TARGET)/debug

test-clocks: tools web/dist/index.html
	$(DEBUG_SERVER)
	cargo test --locked --workspace --no-run
	DISPATCH_BIN=$(abspath $(TARGET))/debug/dispatch .ci/clocks

recovery: web/node_modules/.package-lock.json web/dist/index.html
	RECOVERY_ROUNDS=200 cargo test --locked -p dispatch-server --test it recovery:: -- --nocapture

torture: tools web/dist/index.html
	cargo build --release --locked -p dispatch-server -p dispatch-loadtest
	$(TARGET)/release/loadtest run torture $(TARGET)/release

torture-cluster: tools web/dist/index.html
	cargo build --release --locked -p dispatch-server -p dispatch-loadtest
	$(TARGET)/release/loadtest run chaos-cluster $(TARGET)/release

# Ten minutes at each of the two servers, side by side; then calls that were never made before.
fuzz: tools web/dist/index.html
	cargo build --locked -p dispatch-server --examples
	FUZZ_SECONDS=$${FUZZ_SECONDS:-600} cargo test --locked -p dispatch-server --test it fuzz:: -- --nocapture
	seed=$$(date +%s) && echo "SCHEMATHESIS_SEED=$$seed" && \
	SCHEMATHESIS_SEED=$$seed SCHEMATHESIS_EXAMPLES=$${SCHEMATHESIS_EXAMPLES:-100} cargo test --locked -p dispatch-server --test it any_request::schemathesis

web-tests: web/node_modules/.package-lock.json
	cd web && npm test

browser-tests: tools web/dist/index.html
	$(DEBUG_SERVER)
	cd web && DISPATCH_BIN=$(abspath $(TARGET))/debug/dispatch npm run e2e

check: web/node_modules/.package-lock.json
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	cargo clippy --locked --workspace --no-default-features --lib --bins --examples -- -D warnings
	cd web && npm run check
	$(MAKE) supply-chain drift

# What the product is made of: licences, sources, notices and bills of materials.
supply-chain: licence-tools sbom
	$(CARGO_DENY) --all-features --workspace --offline check bans licenses sources
	node --test supply-chain/
	node supply-chain/notices.mjs --check

licence-tools:
	.ci/tools licences

advisories: licence-tools web/node_modules/.package-lock.json
	$(CARGO_DENY) check advisories
	cd web && npm audit --omit dev

notices: web/node_modules/.package-lock.json
	node supply-chain/notices.mjs

sbom: web/node_modules/.package-lock.json
	node supply-chain/sbom.mjs $(TARGET)/sbom

# The web's types must be those of the server as it is.
drift: $(TARGET)/openapi.json
	cd web && npx openapi-typescript $(abspath $(TARGET))/openapi.json --output $(abspath $(TARGET))/schema.ts >/dev/null
	diff -u web/src/api/schema.ts $(TARGET)/schema.ts || { echo "web/src/api/schema.ts is out of date: run make types" >&2; exit 1; }
	node web/api-rules.mjs $(TARGET)/openapi.json $(TARGET)/rules.ts
	diff -u web/src/api/rules.ts $(TARGET)/rules.ts || { echo "web/src/api/rules.ts is out of date: run make types" >&2; exit 1; }

types: $(TARGET)/openapi.json web/node_modules/.package-lock.json
	cd web && npx openapi-typescript $(abspath $(TARGET))/openapi.json --output src/api/schema.ts
	node web/api-rules.mjs $(TARGET)/openapi.json web/src/api/rules.ts

.PHONY: $(TARGET)/openapi.json
$(TARGET)/openapi.json:
	$(DEBUG_SERVER) --quiet
	$(TARGET)/debug/dispatch openapi > $@

format:
	cargo fmt --all
	cd web && npm run format

stories:
	cargo test --quiet --locked -p dispatch-stories --lib an_auditor_finds -- --nocapture

promise:
	cargo build --locked -p dispatch-loadtest
	$(TARGET)/debug/loadtest promise

load:
	cargo build --release --locked -p dispatch-server -p dispatch-loadtest
	$(TARGET)/release/loadtest run load $(TARGET)/release

bench:
	cargo build --release --locked -p dispatch-server -p dispatch-loadtest
	$(TARGET)/release/loadtest run bench $(TARGET)/release

bench-portal: tools web/dist/index.html
	cargo build --release --locked -p dispatch-server -p dispatch-loadtest
	$(TARGET)/release/loadtest run bench $(TARGET)/release portal

bench-sign-in:
	cargo build --release --locked -p dispatch-server -p dispatch-loadtest
	$(TARGET)/release/loadtest run bench $(TARGET)/release sign-in

bench-admission:
	cargo build --release --locked -p dispatch-server -p dispatch-loadtest
	$(TARGET)/release/loadtest run bench $(TARGET)/release admission

bench-cluster:
	cargo build --release --locked -p dispatch-server -p dispatch-loadtest
	$(TARGET)/release/loadtest run cluster $(TARGET)/release

bench-desk: tools web/dist/index.html
	cargo build --release --locked -p dispatch-server -p dispatch-loadtest
	$(TARGET)/release/loadtest run bench $(TARGET)/release desk

compare-api:
	cargo build --locked -p dispatch-loadtest
	$(TARGET)/debug/loadtest compare-api --old $(OLD) --new $(NEW) $(if $(ACCEPT),--accept $(ACCEPT))

soak-board: tools web/dist/index.html
	cargo build --release --locked -p dispatch-server
	cd web && DISPATCH_BIN=$(abspath $(TARGET))/release/dispatch npm run --silent bench -- board-soak.bench

still-board: tools web/dist/index.html
	cargo build --release --locked -p dispatch-server
	cd web && DISPATCH_BIN=$(abspath $(TARGET))/release/dispatch npm run --silent bench -- board-stillness.bench
