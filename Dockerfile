# The service. Its stores are EventStoreDB and PostgreSQL (docker-compose.yml); without
# them it uses its embedded stores in /data.
# A digest cannot stand here: it changes with each patch of the image, and the source does not know your
# registry. Pin it in your build: --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:… (docs/deployment.md)
ARG NODE_IMAGE=node:24-bookworm-slim
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages ./packages
RUN npm ci --no-audit --no-fund
COPY tsconfig.json nest-cli.json .swcrc ./
COPY scripts ./scripts
COPY src ./src
# A second install, because `npm prune` would resolve optional peers again and fail.
RUN npm run build && npm ci --omit=dev --no-audit --no-fund

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/packages ./packages
COPY --from=build /app/dist ./dist
COPY package.json ./
RUN mkdir -m 700 /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health/ready').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=50", "--v8-pool-size=1", "--wasm-tiering-budget=100000000", "dist/main.js"]
