# griot in a small image, of what .ci/dist has made: .ci/dist && docker build -t griot . && docker run --rm -i griot
#
# The programs are linked statically, so the image has nothing else: no shell, no library. Nothing runs while it is built for another
# processor (docker buildx build --platform linux/amd64,linux/arm64). It runs as a user without rights; files are read and written
# where a folder is mounted: docker run --rm -v "$PWD:/work" --user "$(id -u)" griot analyse positions.txt
FROM --platform=$BUILDPLATFORM debian:bookworm-slim AS archive
ARG TARGETARCH
COPY dist/griot-*-linux.tar.gz /archives/
RUN case "$TARGETARCH" in amd64) machine=x86_64 ;; arm64) machine=aarch64 ;; *) machine=$TARGETARCH ;; esac \
 && mkdir /griot /empty \
 && tar -xzf /archives/griot-*-"$machine"-linux.tar.gz -C /griot --strip-components=1

FROM scratch
COPY --from=archive /griot/ /usr/local/
COPY --from=archive --chown=65534:65534 /empty/ /work/
ENV PATH=/usr/local/bin
USER 65534:65534
WORKDIR /work
ENTRYPOINT ["/usr/local/bin/griot"]
