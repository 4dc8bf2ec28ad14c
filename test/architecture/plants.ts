import { createRequire } from 'node:module';

/** A file that breaks a rule of the dependency law; dependency-cruiser must report this rule for it. */
export interface Plant {
  readonly rule: string;
  /** Where the file is planted. */
  readonly at: string;
  /** What it imports. */
  readonly imports: readonly string[];
}

const plant = (rule: string, at: string, ...imports: string[]): Plant => ({ rule, at, imports });

/** The subfolders of each folder, in the order of the law. */
export const { SUBFOLDERS } = createRequire(__filename)('../../.dependency-order.cjs') as {
  SUBFOLDERS: Readonly<Record<string, readonly string[]>>;
};

/** One file a subfolder, each of which imports those of all subfolders above it. */
const subfolders = Object.entries(SUBFOLDERS).flatMap(([folder, names]) =>
  names.map((name, index): [string, string[]] => [
    `src/${folder}/${name}/${name}.ts`,
    ['node:path', ...names.slice(0, index).map((above) => `../${above}/${above}.js`)],
  ]),
);

/** A small source tree that keeps every rule, its folders and root files in the order of the law. Plants are added to it. */
export const SOUND: Readonly<Record<string, readonly string[]>> = {
  'src/kernel/token.ts': ['node:crypto', 'node:zlib'],
  'src/config/index.ts': ['../kernel/token.js'],
  'src/logging/index.ts': ['../config/index.js'],
  'src/embedded-postgres/index.ts': ['./owner-socket.js'],
  'src/embedded-postgres/owner-socket.ts': ['../config/index.js', 'node:fs'],
  'src/metrics/index.ts': ['../config/index.js', '../logging/index.js'],
  'src/loop/index.ts': ['../metrics/index.js'],
  'src/egress/index.ts': ['../metrics/index.js', '../config/index.js'],
  'src/http/index.ts': ['fastify', '../metrics/index.js'],
  'src/database/index.ts': ['typeorm', '../config/index.js'],
  'src/backup/index.ts': ['../database/index.js', '../embedded-postgres/index.js'],
  'src/job/index.ts': ['../database/index.js', '../loop/index.js'],
  'src/events/index.ts': ['../database/index.js', '../loop/index.js'],
  'src/rate-limit/index.ts': ['@nestjs/throttler', '../database/index.js'],
  'src/operator-action/index.ts': ['../database/index.js'],
  'src/generated/graphql.ts': ['type ../wallet/index.js'],
  'src/graphql/index.ts': ['graphql', 'type ../generated/graphql.js', '../events/index.js'],
  'src/graphql/codegen-base.ts': ['type ../generated/graphql.js'],
  'src/auth/index.ts': ['../graphql/index.js', '../rate-limit/index.js'],
  'src/health/index.ts': ['../auth/index.js'],
  'src/socket/index.ts': ['../health/index.js'],
  'src/idempotency/index.ts': ['../auth/index.js'],
  'src/page/index.ts': ['../config/index.js'],
  'src/page/head.ts': ['../config/index.js'],
  'src/page/tail.ts': ['./head.js'],
  'src/budget/index.ts': ['../database/index.js'],
  'src/ledger/index.ts': ['../database/index.js'],
  'src/lightning/index.ts': ['./simulator/index.js', './lightning.module.js', './port.js'],
  'src/lightning/lightning.module.ts': ['./simulator/index.js'],
  'src/lightning/port.ts': ['../kernel/token.js'],
  'src/lightning/simulator/index.ts': ['./simulator.store.js'],
  'src/lightning/simulator/simulator.store.ts': ['../port.js'],
  'src/price/index.ts': ['../auth/index.js'],
  'src/user/index.ts': ['../auth/index.js'],
  'src/session/index.ts': ['../user/index.js'],
  'src/api-key/index.ts': ['../user/index.js'],
  'src/signin/index.ts': ['../page/index.js', '../session/index.js'],
  'src/oauth/index.ts': ['./interaction/page.js'],
  'src/oauth/interaction/page.ts': ['../../signin/index.js'],
  'src/wallet/index.ts': ['./wallet.module.js'],
  'src/wallet/wallet.entity.ts': ['typeorm'],
  'src/wallet/wallet.module.ts': ['./wallet.resolver.js', './wallet.service.js'],
  'src/wallet/wallet.resolver.ts': ['./wallet.service.js', '../graphql/index.js'],
  'src/wallet/wallet.service.ts': ['./wallet.entity.js', '../database/index.js', 'type ../graphql/index.js'],
  'src/wallet/wallet.spec.ts': ['./wallet.resolver.js', '../../test/support/app.js', 'jest'],
  'src/transaction/index.ts': ['../wallet/index.js'],
  'src/webhook/index.ts': ['../transaction/index.js'],
  'src/invoice/index.ts': ['../wallet/index.js', '../lightning/index.js'],
  'src/lnurl/index.ts': ['../invoice/index.js'],
  'src/payment/index.ts': ['../invoice/index.js'],
  'src/adjustment/index.ts': ['../payment/index.js'],
  'src/reconciliation/index.ts': ['../payment/index.js'],
  'src/dashboard/index.ts': ['../payment/index.js'],
  'src/server/index.ts': ['../config/index.js', '../lightning/index.js'],
  'src/demo/index.ts': ['../invoice/index.js'],
  'src/cli/index.ts': ['../bootstrap.js', '../ledger/index.js'],
  'src/testing/index.ts': ['../index.js'],
  'src/client/index.ts': ['./socket.js', 'graphql'],
  'src/client/socket.ts': ['graphql-ws', '@graphql-typed-document-node/core'],
  'src/core-module.ts': ['./wallet/index.js'],
  'src/entities.ts': ['./ledger/index.js'],
  'src/extension-parts.ts': ['./core-module.js'],
  'src/extension.ts': ['./extension-parts.js', './auth/index.js'],
  'src/app.module.ts': ['./entities.js', './extension.js', './wallet/index.js', '../migrations/index.js'],
  'src/bootstrap.ts': ['./app.module.js', './config/index.js'],
  'src/serve.ts': ['./bootstrap.js', './demo/index.js'],
  'src/index.ts': ['./bootstrap.js', './serve.js', './cli/index.js', './graphql/codegen-base.js'],
  'src/main.ts': ['./serve.js'],
  'migrations/index.ts': ['typeorm', 'node:fs'],
  'test/support/app.ts': ['../../src/bootstrap.js'],
  'test/extensions/tipping/tipping.ts': ['../../../src/index.js', '../../../src/testing/index.js', './note.js'],
  'test/extensions/tipping/note.ts': ['typeorm'],
  ...Object.fromEntries(subfolders),
};

/** One plant for each way to break each rule that is not generated from the order; dependency-law.spec.ts plants those. */
export const PLANTS: readonly Plant[] = [
  plant('no-cycles', 'src/page/head.ts', 'type ./tail.js'),
  plant('no-orphans', 'src/page/alone.ts'),
  plant('no-unresolvable', 'src/page/lost.ts', './nowhere.js'),
  plant('unlisted-files-import-nothing', 'src/misc/index.ts', '../kernel/token.js'),
  plant('unlisted-files-import-nothing', 'src/odds.ts', './config/index.js'),
  plant('new-subfolders-get-a-place', 'src/oauth/attic/box.ts', '../client/client.js'),
  plant('nothing-imports-unlisted-files', 'src/dashboard/curious.ts', '../misc/index.js'),

  plant('enter-by-the-front-door', 'src/invoice/backdoor.ts', '../wallet/wallet.service.js'),
  plant('enter-by-the-front-door', 'src/invoice/peep.ts', 'type ../wallet/wallet.service.js'),
  plant('enter-by-the-front-door', 'src/database/keep.ts', '../embedded-postgres/owner-socket.js'),
  plant('enter-by-the-front-door', 'src/dashboard/node.ts', '../lightning/simulator/index.js'),
  plant('root-enters-by-the-front-door', 'src/bootstrap.ts', './wallet/wallet.service.js'),
  plant('only-starters-know-the-root', 'src/wallet/whole.ts', 'type ../app.module.js'),
  plant('only-starters-know-the-root', 'src/wallet/seam.ts', '../extension.js'),
  plant('generated-is-types-only', 'src/wallet/enum.ts', '../generated/graphql.js'),

  plant('kernel-is-pure', 'src/kernel/file.ts', 'node:fs'),
  plant('kernel-is-pure', 'src/kernel/npm.ts', 'rxjs'),
  plant('kernel-is-pure', 'src/kernel/up.ts', '../config/index.js'),
  plant('money-knows-no-api', 'src/ledger/sdl.ts', 'type ../generated/graphql.js'),
  plant('money-knows-no-api', 'src/ledger/who.ts', '../auth/index.js'),
  plant('money-knows-no-api', 'src/ledger/api.ts', 'graphql'),
  plant('money-knows-no-api', 'src/lightning/api.ts', '@nestjs/graphql'),
  plant('money-knows-no-api', 'src/lightning/feature.ts', '../invoice/index.js'),
  plant('money-knows-no-api', 'src/database/http.ts', 'fastify'),
  plant('money-knows-no-api', 'src/events/pass.ts', '@nestjs/passport'),
  plant('ledger-knows-no-node', 'src/ledger/node.ts', '../lightning/index.js'),
  plant('node-knows-no-ledger', 'src/lightning/books.ts', '../ledger/index.js'),
  ...['ledger', 'lightning', 'wallet', 'transaction', 'webhook', 'invoice', 'lnurl', 'payment'].flatMap((money) => [
    plant('credentials-know-no-money', `src/api-key/${money}.ts`, `../${money}/index.js`),
    plant('credentials-know-no-money', `src/signin/${money}.ts`, `../${money}/index.js`),
    plant('credentials-know-no-money', `src/oauth/token/${money}.ts`, `type ../../${money}/index.js`),
  ]),
  plant('only-interactions-know-the-sign-in', 'src/oauth/authorize/sign-in.ts', '../../signin/index.js'),
  plant('only-interactions-know-the-sign-in', 'src/oauth/consent/sign-in.ts', 'type ../../signin/index.js'),
  plant('adapters-stay-hidden', 'src/lightning/leak.ts', './simulator/index.js'),
  plant('adapters-have-a-front-door', 'src/lightning/lightning.module.ts', './simulator/simulator.store.js'),

  plant('edges-are-leaves', 'src/wallet/wallet.service.ts', './wallet.resolver.js'),
  plant('edges-are-leaves', 'src/wallet/index.ts', 'type ./wallet.resolver.js'),
  plant('edges-are-leaves', 'src/wallet/open.ts', './wallet.controller.js'),
  plant('edges-touch-no-storage', 'src/wallet/wallet.controller.ts', 'type typeorm'),
  plant('edges-touch-no-storage', 'src/wallet/list.resolver.ts', '../database/index.js'),
  plant('edges-touch-no-storage', 'src/wallet/sum.resolver.ts', '../ledger/index.js'),
  plant('edges-touch-no-storage', 'src/wallet/row.resolver.ts', './wallet.entity.js'),
  plant('services-know-no-edge', 'src/wallet/list.service.ts', '../graphql/index.js'),
  plant('services-know-no-edge', 'src/wallet/reply.service.ts', 'graphql'),
  plant('services-know-no-edge', 'src/wallet/cookie.store.ts', 'fastify'),
  plant('pages-touch-no-storage', 'src/dashboard/query.ts', 'typeorm'),
  plant('pages-touch-no-storage', 'src/signin/query.ts', 'typeorm'),
  plant('pages-touch-no-storage', 'src/oauth/consent/query.ts', 'typeorm'),
  plant('pages-touch-no-storage', 'src/cli/query.ts', 'pg'),

  plant('client-knows-no-server', 'src/client/money.ts', '../kernel/token.js'),
  plant('client-knows-no-server', 'src/client/file.ts', 'node:fs'),
  plant('client-knows-no-server', 'src/client/row.ts', 'type ../generated/graphql.js'),
  plant('server-knows-no-client', 'src/testing/call.ts', '../client/index.js'),

  plant('src-never-imports-test', 'src/wallet/tested.ts', '../../test/support/app.js'),
  plant('src-never-imports-test', 'src/bootstrap.ts', './testing/index.js'),
  plant('src-never-imports-test', 'src/wallet/spec.ts', './wallet.spec.js'),
  plant('no-dev-deps-in-src', 'src/wallet/dev.ts', 'jest'),
  plant('no-dev-deps-in-src', 'src/wallet/unlisted.ts', 'secure-json-parse'),
  plant('no-dev-deps-in-src', 'src/testing/dev.ts', 'jest'),
  plant('no-dev-deps-in-src', 'migrations/dev.ts', 'fast-check'),
  plant('migrations-stand-alone', 'migrations/entity.ts', '../src/wallet/index.js'),
  plant('migrations-stand-alone', 'migrations/driver.ts', 'pg'),
  plant('only-the-root-migrates', 'src/wallet/migrate.ts', '../../migrations/index.js'),
  plant('extensions-use-the-public-api', 'test/extensions/tipping/inside.ts', '../../../src/wallet/index.js'),
  plant('extensions-use-the-public-api', 'test/extensions/tipping/help.ts', '../../support/app.js'),
  plant('extensions-use-the-public-api', 'test/extensions/rating/other.ts', '../tipping/note.js'),
];
