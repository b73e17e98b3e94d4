# griot in a small image, of what .ci/dist has made: .ci/dist && docker build -t griot . && docker run --rm -i griot
#
# The image has the programs and nothing of a toolchain. It runs as a user without rights; files are read and written where a folder
# is mounted: docker run --rm -v "$PWD:/work" --user "$(id -u)" griot analyse positions.txt
FROM debian:bookworm-slim AS archive
ADD dist/griot-*-x86_64-linux.tar.gz /archive/
RUN mv /archive/griot-* /archive/griot

FROM debian:bookworm-slim
COPY --from=archive /archive/griot/ /usr/local/
# Programs that were linked to a newer glibc than this one end the build here.
RUN griot --version && griot-match --version && griot-board --help > /dev/null \
 && useradd --system --no-create-home --shell /usr/sbin/nologin griot
USER griot
WORKDIR /work
ENTRYPOINT ["griot"]
