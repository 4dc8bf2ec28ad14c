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

/** The data of the law. */
export const { FOLDERS, SUBFOLDERS, APP_ORDER } = createRequire(__filename)('../../.dependency-order.cjs') as {
  FOLDERS: readonly string[];
  SUBFOLDERS: Readonly<Record<string, readonly string[]>>;
  APP_ORDER: readonly string[];
};

/** One file a subfolder, each of which imports those of all subfolders below it. */
const subfolders = Object.entries(SUBFOLDERS).flatMap(([folder, names]) =>
  names.map((name, index): [string, string[]] => [
    `src/${folder}/${name}/${name}.ts`,
    ['node:path', ...names.slice(index + 1).map((below) => `../${below}/${below}.js`)],
  ]),
);

/** A small source tree that keeps every rule. Plants are added to it. */
export const SOUND: Readonly<Record<string, readonly string[]>> = {
  'src/platform/kernel/token.ts': ['node:crypto', 'node:zlib'],
  'src/platform/config/index.ts': ['../kernel/token.js'],
  'src/platform/logging/index.ts': ['../config/index.js'],
  'src/platform/embedded-postgres/index.ts': ['./owner-socket.js'],
  'src/platform/embedded-postgres/owner-socket.ts': ['../config/index.js', 'node:fs'],
  'src/platform/metrics/index.ts': ['../config/index.js', '../logging/index.js'],
  'src/platform/loop/index.ts': ['../metrics/index.js'],
  'src/edge/egress/index.ts': ['../../platform/metrics/index.js', '../../platform/config/index.js'],
  'src/edge/http/index.ts': ['fastify', '../../platform/metrics/index.js'],
  'src/platform/database/index.ts': ['typeorm', '../config/index.js'],
  'src/platform/backup/index.ts': ['../database/index.js', '../embedded-postgres/index.js'],
  'src/platform/events/index.ts': ['../database/index.js', '../loop/index.js'],
  'src/platform/job/index.ts': ['../database/index.js', '../loop/index.js', '../events/index.js'],
  'src/edge/rate-limit/index.ts': ['../http/index.js', '../../platform/database/index.js'],
  'src/platform/operator-action/index.ts': ['../database/index.js'],
  'src/generated/graphql.ts': ['type ../money/wallet/index.js'],
  'src/edge/graphql/index.ts': ['graphql', 'type ../../generated/graphql.js', '../../platform/events/index.js'],
  'src/edge/graphql/codegen-base.ts': ['type ../../generated/graphql.js'],
  'src/edge/auth/index.ts': ['../graphql/index.js', '../rate-limit/index.js'],
  'src/edge/health/index.ts': ['../auth/index.js'],
  'src/edge/socket/index.ts': ['../health/index.js'],
  'src/edge/idempotency/index.ts': ['../auth/index.js'],
  'src/edge/page/index.ts': ['../../platform/config/index.js'],
  'src/edge/page/head.ts': ['../../platform/config/index.js'],
  'src/edge/page/tail.ts': ['./head.js'],
  'src/edge/mail/index.ts': ['../page/index.js'],
  'src/access/notice/index.ts': ['../../edge/mail/index.js'],
  'src/access/limit/index.ts': ['../../edge/page/index.js'],
  'src/money/ledger/index.ts': ['../../platform/database/index.js'],
  'src/money/lightning/index.ts': ['./simulator/index.js', './lightning.module.js', './lnd.js', './port.js'],
  'src/money/lightning/lightning.module.ts': ['./simulator/index.js'],
  'src/money/lightning/lnd.ts': ['./lnd/index.js'],
  'src/money/lightning/lnd/index.ts': ['./lnd-backend.js'],
  'src/money/lightning/lnd/lnd-backend.ts': ['../port.js'],
  'src/money/lightning/port.ts': ['../../platform/kernel/token.js'],
  'src/money/lightning/simulator/index.ts': ['./simulator.store.js'],
  'src/money/lightning/simulator/simulator.store.ts': ['../port.js'],
  'src/money/price/index.ts': ['../../edge/auth/index.js'],
  'src/access/user/index.ts': ['../../edge/auth/index.js'],
  'src/access/factor/index.ts': ['../user/index.js'],
  'src/access/session/index.ts': ['../factor/index.js'],
  'src/access/api-key/index.ts': ['../user/index.js'],
  'src/access/signin/index.ts': ['../../edge/page/index.js', '../session/index.js'],
  'src/access/oauth/index.ts': ['./interaction/page.js'],
  'src/access/oauth/interaction/page.ts': ['../../signin/index.js'],
  'src/money/budget/index.ts': ['../../access/limit/index.js', '../../platform/database/index.js'],
  'src/money/wallet/index.ts': ['./wallet.module.js'],
  'src/money/wallet/wallet.entity.ts': ['typeorm'],
  'src/money/wallet/wallet.module.ts': ['./wallet.resolver.js', './wallet.payload.js', './wallet.service.js'],
  'src/money/wallet/wallet.resolver.ts': ['./wallet.service.js', '../../edge/graphql/index.js'],
  'src/money/wallet/wallet.payload.ts': ['../../edge/graphql/index.js'],
  'src/money/wallet/wallet.service.ts': ['./wallet.entity.js', '../../platform/database/index.js', 'type ../../edge/graphql/index.js'],
  'src/money/wallet/wallet.spec.ts': ['./wallet.resolver.js', '../../../test/support/app.js', 'jest'],
  'src/money/transaction/index.ts': ['../wallet/index.js'],
  'src/money/webhook/index.ts': ['../transaction/index.js'],
  'src/money/invoice/index.ts': ['../wallet/index.js', '../lightning/index.js'],
  'src/money/lnurl/index.ts': ['../invoice/index.js'],
  'src/money/payment/index.ts': ['../invoice/index.js'],
  'src/operator/adjustment/index.ts': ['../../money/payment/index.js'],
  'src/operator/reconciliation/index.ts': ['../../money/payment/index.js'],
  'src/dashboard/index.ts': ['../money/payment/index.js'],
  'src/app/server/index.ts': ['../../platform/config/index.js', '../../money/lightning/index.js'],
  'src/app/demo/index.ts': ['../../money/invoice/index.js'],
  'src/cli/index.ts': ['../app/bootstrap.js', '../money/ledger/index.js'],
  'src/testing/index.ts': ['../index.js'],
  'src/client/index.ts': ['./socket.js', 'graphql'],
  'src/client/socket.ts': ['graphql-ws', '@graphql-typed-document-node/core'],
  'src/app/core-module.ts': ['../money/wallet/index.js'],
  'src/app/entities.ts': ['../money/ledger/index.js'],
  'src/app/extension-parts.ts': ['./core-module.js'],
  'src/app/settings.ts': ['../edge/http/index.js'],
  'src/app/extension.ts': ['./settings.js', './extension-parts.js', '../edge/auth/index.js'],
  'src/app/app.module.ts': ['./entities.js', './extension.js', '../money/wallet/index.js', '../../migrations/index.js'],
  'src/app/bootstrap.ts': ['./app.module.js', '../platform/config/index.js'],
  'src/app/serve.ts': ['./bootstrap.js', './demo/index.js'],
  'src/index.ts': ['./app/bootstrap.js', './app/serve.js', './cli/index.js', './edge/graphql/codegen-base.js'],
  'src/main.ts': ['./app/serve.js'],
  'migrations/index.ts': ['typeorm', 'node:fs'],
  'test/support/app.ts': ['../../src/app/bootstrap.js'],
  'test/extensions/tipping/tipping.ts': ['../../../src/index.js', '../../../src/testing/index.js', './note.js'],
  'test/extensions/tipping/note.ts': ['typeorm'],
  ...Object.fromEntries(subfolders),
};

/** One plant for each way to break each rule that is not generated from the order; dependency-law.spec.ts plants those. */
export const PLANTS: readonly Plant[] = [
  plant('no-cycles', 'src/edge/page/head.ts', 'type ./tail.js'),
  plant('no-orphans', 'src/edge/page/alone.ts'),
  plant('no-unresolvable', 'src/edge/page/lost.ts', './nowhere.js'),
  plant('unlisted-files-import-nothing', 'src/misc/index.ts', '../platform/kernel/token.js'),
  plant('unlisted-files-import-nothing', 'src/odds.ts', './platform/config/index.js'),
  plant('new-subfolders-get-a-place', 'src/access/oauth/attic/box.ts', '../client/client.js'),
  plant('nothing-imports-unlisted-files', 'src/dashboard/curious.ts', '../misc/index.js'),

  plant('enter-by-the-front-door', 'src/money/invoice/backdoor.ts', '../wallet/wallet.service.js'),
  plant('enter-by-the-front-door', 'src/money/invoice/peep.ts', 'type ../wallet/wallet.service.js'),
  plant('enter-by-the-front-door', 'src/platform/database/keep.ts', '../embedded-postgres/owner-socket.js'),
  plant('enter-by-the-front-door', 'src/dashboard/node.ts', '../money/lightning/simulator/index.js'),
  plant('app-enters-by-the-front-door', 'src/app/bootstrap.ts', '../money/wallet/wallet.service.js'),
  plant('only-starters-know-the-application', 'src/money/wallet/whole.ts', 'type ../../app/app.module.js'),
  plant('only-starters-know-the-application', 'src/money/wallet/seam.ts', '../../app/extension.js'),
  plant('generated-is-types-only', 'src/money/wallet/enum.ts', '../../generated/graphql.js'),

  plant('kernel-is-pure', 'src/platform/kernel/file.ts', 'node:fs'),
  plant('kernel-is-pure', 'src/platform/kernel/npm.ts', 'rxjs'),
  plant('kernel-is-pure', 'src/platform/kernel/up.ts', '../config/index.js'),
  plant('money-knows-no-api', 'src/money/ledger/sdl.ts', 'type ../../generated/graphql.js'),
  plant('money-knows-no-api', 'src/money/ledger/who.ts', '../../edge/auth/index.js'),
  plant('money-knows-no-api', 'src/money/ledger/api.ts', 'graphql'),
  plant('money-knows-no-api', 'src/money/lightning/api.ts', '@nestjs/graphql'),
  plant('money-knows-no-api', 'src/money/lightning/feature.ts', '../invoice/index.js'),
  plant('money-knows-no-api', 'src/platform/database/http.ts', 'fastify'),
  plant('money-knows-no-api', 'src/platform/events/pass.ts', '@nestjs/passport'),
  plant('node-knows-no-ledger', 'src/money/lightning/books.ts', '../ledger/index.js'),
  plant('only-interactions-know-the-sign-in', 'src/access/oauth/authorize/sign-in.ts', '../../signin/index.js'),
  plant('only-interactions-know-the-sign-in', 'src/access/oauth/consent/sign-in.ts', 'type ../../signin/index.js'),
  plant('adapters-stay-hidden', 'src/money/lightning/leak.ts', './simulator/index.js'),
  plant('adapters-stay-hidden', 'src/money/lightning/other-leak.ts', 'type ./lnd/index.js'),
  plant('adapters-have-a-front-door', 'src/money/lightning/lnd.ts', './lnd/lnd-backend.js'),
  plant('adapters-have-a-front-door', 'src/money/lightning/lightning.module.ts', './simulator/simulator.store.js'),

  plant('edges-are-leaves', 'src/money/wallet/wallet.service.ts', './wallet.resolver.js'),
  plant('edges-are-leaves', 'src/money/wallet/index.ts', 'type ./wallet.resolver.js'),
  plant('edges-are-leaves', 'src/money/wallet/open.ts', './wallet.controller.js'),
  plant('edges-touch-no-storage', 'src/money/wallet/wallet.controller.ts', 'type typeorm'),
  plant('edges-touch-no-storage', 'src/money/wallet/list.resolver.ts', '../../platform/database/index.js'),
  plant('edges-touch-no-storage', 'src/money/wallet/sum.resolver.ts', '../ledger/index.js'),
  plant('edges-touch-no-storage', 'src/money/wallet/row.resolver.ts', './wallet.entity.js'),
  plant('services-know-no-edge', 'src/money/wallet/list.service.ts', '../../edge/graphql/index.js'),
  plant('services-know-no-edge', 'src/money/wallet/reply.service.ts', 'graphql'),
  plant('services-know-no-edge', 'src/money/wallet/cookie.store.ts', 'fastify'),
  plant('services-know-no-edge', 'src/money/payment/end/payment.waiter.ts', '../../../edge/graphql/index.js'),
  plant('services-know-no-edge', 'src/money/invoice/rules.ts', '../../edge/http/index.js'),
  plant('services-know-no-edge', 'src/access/signin/attempts.ts', '../../edge/http/index.js'),
  plant('services-know-no-edge', 'src/platform/database/answer.ts', 'graphql'),
  plant('pages-touch-no-storage', 'src/dashboard/query.ts', 'typeorm'),
  plant('pages-touch-no-storage', 'src/access/signin/query.ts', 'typeorm'),
  plant('pages-touch-no-storage', 'src/access/oauth/consent/query.ts', 'typeorm'),
  plant('pages-touch-no-storage', 'src/cli/query.ts', 'pg'),

  plant('client-knows-no-server', 'src/client/money.ts', '../platform/kernel/token.js'),
  plant('client-knows-no-server', 'src/client/file.ts', 'node:fs'),
  plant('client-knows-no-server', 'src/client/row.ts', 'type ../generated/graphql.js'),
  plant('server-knows-no-client', 'src/testing/call.ts', '../client/index.js'),

  plant('src-never-imports-test', 'src/money/wallet/tested.ts', '../../../test/support/app.js'),
  plant('src-never-imports-test', 'src/app/bootstrap.ts', '../testing/index.js'),
  plant('src-never-imports-test', 'src/money/wallet/spec.ts', './wallet.spec.js'),
  plant('no-dev-deps-in-src', 'src/money/wallet/dev.ts', 'jest'),
  plant('no-dev-deps-in-src', 'src/money/wallet/unlisted.ts', 'secure-json-parse'),
  plant('no-dev-deps-in-src', 'src/testing/dev.ts', 'jest'),
  plant('no-dev-deps-in-src', 'migrations/dev.ts', 'fast-check'),
  plant('migrations-stand-alone', 'migrations/entity.ts', '../src/money/wallet/index.js'),
  plant('migrations-stand-alone', 'migrations/driver.ts', 'pg'),
  plant('only-the-application-migrates', 'src/money/wallet/migrate.ts', '../../../migrations/index.js'),
  plant('extensions-use-the-public-api', 'test/extensions/tipping/inside.ts', '../../../src/money/wallet/index.js'),
  plant('extensions-use-the-public-api', 'test/extensions/tipping/help.ts', '../../support/app.js'),
  plant('extensions-use-the-public-api', 'test/extensions/rating/other.ts', '../tipping/note.js'),
];
