# griot in a small image: docker build -t griot . && docker run --rm -i griot
#
# The first stage builds, the second has the program and nothing of the toolchain. It runs as a user without rights; files are
# read and written where a folder is mounted: docker run --rm -v "$PWD:/work" --user "$(id -u)" griot analyse positions.txt
FROM rust:1-slim-bookworm AS build
WORKDIR /src
COPY Cargo.toml Cargo.lock README.md ./
COPY src src
# The other packages of the workspace, which Cargo.lock knows of; nothing of them is built.
COPY client client
COPY examples/play_match examples/play_match
COPY examples/web_board examples/web_board
# Cargo.toml names examples and benchmarks, which this build needs as little as the tests.
RUN sed -i '/^\[\[\(example\|bench\)\]\]/,/^$/d' Cargo.toml \
 && cargo build --release --locked --package griot --bin griot

FROM debian:bookworm-slim
COPY --from=build /src/target/release/griot /usr/local/bin/griot
COPY LICENSE-MIT LICENSE-APACHE /usr/share/doc/griot/
RUN useradd --system --no-create-home --shell /usr/sbin/nologin griot
USER griot
WORKDIR /work
ENTRYPOINT ["griot"]
