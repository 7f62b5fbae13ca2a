# The image of `slipway manager`, and of every other command: docker build -t registry.example/slipway/manager:v0.1.0 .
FROM node:22-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json ./
COPY packages ./packages
COPY scripts ./scripts
RUN npm ci && npm run build && npm prune --omit=dev

FROM node:22-bookworm-slim
COPY --from=build /source /slipway
# What the manager keeps is in the cluster: it needs no right and no file of its own.
USER 65532:65532
ENTRYPOINT ["node", "/slipway/packages/cli/bin/slipway.mjs"]
CMD ["manager"]
