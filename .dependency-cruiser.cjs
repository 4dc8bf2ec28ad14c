// The dependency law. `npm run lint:deps` holds the tree to it, test/architecture/dependency-law.spec.ts proves that each rule bites,
// and docs/adr/0002 says why it is as it is.

const order = require('./.dependency-order.cjs');
const { ROOMS, FOLDERS, SUBFOLDERS, APP_ORDER, BESIDE } = order;
const { STARTERS, KNOW_THE_EDGE, ROLES_AT_THE_EDGE, FILES_AT_THE_EDGE } = order;

const before = (list, item) => list.slice(0, list.indexOf(item));
const dotted = (files) => files.join('|').replaceAll('.', '\\.');
const npm = (...names) => `(^|/)node_modules/(${names.join('|')})/`;
/** A package of types alone: there is no file to resolve it to. */
const TYPED_DOCUMENT = '^@graphql-typed-document-node/core$';
const SPEC = '\\.spec\\.ts$';
const EDGE = '\\.(resolver|controller)\\.ts$';
const GRAPHQL_PACKAGES = npm('graphql', 'graphql-ws', '@nestjs/(graphql|apollo)', '@apollo/[^/]+');
/** A folder as the path of one of its files begins: a folder of a room, or a room or folder that lies in src itself. */
const FLAT = [...Object.keys(ROOMS).filter((room) => ROOMS[room].length === 0), ...BESIDE];
const FOLDER = `^src/(?:(?:${FLAT.join('|')})|[^/]+/[^/]+)/`;
const APP_FILES = `^src/app/(${dotted(APP_ORDER)})\\.ts$`;

/** What lies in src and has no place in the order. */
const UNLISTED = {
  path: '^src/',
  pathNot: [`^src/(${[...FOLDERS, ...BESIDE].join('|')})/`, APP_FILES, '^src/(index|main)\\.ts$'],
};

const error = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to });

const downOnly = FOLDERS.filter((folder) => before(FOLDERS, folder).length > 0).map((folder) =>
  error(
    `${folder.replace('/', '-')}-imports-down-only`,
    'Imports point down the lists of ROOMS only.',
    { path: `^src/${folder}/`, pathNot: SPEC },
    { path: `^src/(${before(FOLDERS, folder).join('|')})/` },
  ),
);

const subfoldersDownOnly = Object.entries(SUBFOLDERS).flatMap(([folder, subfolders]) =>
  subfolders
    .slice(1)
    .map((subfolder) =>
      error(
        `${folder.replace('/', '-')}-${subfolder}-imports-down-only`,
        'Imports point down the list SUBFOLDERS only.',
        { path: `^src/${folder}/${subfolder}/`, pathNot: SPEC },
        { path: `^src/${folder}/(${before(subfolders, subfolder).join('|')})/` },
      ),
    ),
);

const appDownOnly = APP_ORDER.map((file) =>
  error(
    `app-${file.replace('.', '-')}-imports-down-only`,
    'What is put together does not know what puts it together.',
    { path: `^src/app/${dotted([file])}\\.ts$` },
    {
      path: [
        ...(before(APP_ORDER, file).length > 0 ? [`^src/app/(${dotted(before(APP_ORDER, file))})\\.ts$`] : []),
        '^src/(index|main)\\.ts$',
        `^src/(${STARTERS.join('|')})/`,
      ],
    },
  ),
);

const shape = [
  error('no-cycles', 'A cycle has no bottom to begin reading at.', {}, { circular: true }),
  error(
    'no-orphans',
    'A file without an importer that imports nothing does nothing.',
    { orphan: true, pathNot: ['\\.d\\.ts$', SPEC, '^src/generated/', '^src/edge/page/(enhance|editor|passkey)\\.js$'] },
    {},
  ),
  error('no-unresolvable', 'An import that leads nowhere.', {}, { couldNotResolve: true, pathNot: TYPED_DOCUMENT }),
  error('unlisted-files-import-nothing', 'A new folder first gets its place in ROOMS, and an ADR.', UNLISTED, {}),
  error(
    'new-subfolders-get-a-place',
    'A new folder in one of these folders first gets its place in SUBFOLDERS.',
    {
      path: `^src/(${Object.keys(SUBFOLDERS).join('|')})/[^/]+/`,
      pathNot: Object.entries(SUBFOLDERS).map(([folder, subfolders]) => `^src/${folder}/(${subfolders.join('|')})/`),
    },
    {},
  ),
  error('nothing-imports-unlisted-files', 'As above.', {}, UNLISTED),
  error(
    'enter-by-the-front-door',
    'Another folder is imported through its index.ts; kernel and generated have none and are imported by file. codegen-base is imported by file too, because the code generator must be able to load it alone.',
    { path: `(${FOLDER})` },
    { path: FOLDER, pathNot: ['^$1', `${FOLDER}index\\.ts$`, '^src/(platform/kernel|generated)/', APP_FILES] },
  ),
  error(
    'app-enters-by-the-front-door',
    'As above.',
    { path: '^src/(app/[^/]+|index|main)\\.ts$' },
    { path: FOLDER, pathNot: [`${FOLDER}index\\.ts$`, '^src/platform/kernel/', '^src/edge/graphql/codegen-base\\.ts$', APP_FILES] },
  ),
  error(
    'only-starters-know-the-application',
    'A folder that imports the application cannot be a part of it.',
    { path: FOLDER, pathNot: [`^src/(${STARTERS.join('|')})/`, SPEC, APP_FILES] },
    { path: ['^src/[^/]+\\.ts$', APP_FILES] },
  ),
  error(
    'generated-is-types-only',
    'Generated code is erased by the compiler: it never runs.',
    { path: '^src/' },
    { path: '^src/generated/', dependencyTypesNot: ['type-only'] },
  ),
];

/** The nodes and their wallets. */
const NODES = '^src/money/(?:lightning|onchain)/';

const core = [
  error(
    'kernel-is-pure',
    'Names, amounts and secrets need nothing but what Node has to compute with, not even a package.',
    { path: '^src/platform/kernel/', pathNot: SPEC },
    { pathNot: ['^src/platform/kernel/', '^(node:)?(crypto|zlib)$'] },
  ),
  error(
    'money-knows-no-api',
    'Ledger, node, and platform never see GraphQL, HTTP, who is asking, or a feature.',
    { path: '^src/(money/(ledger|lightning)|platform)/' },
    {
      path: ['^src/', GRAPHQL_PACKAGES, npm('fastify', 'passport[^/]*', '@nestjs/(passport|platform-[^/]+)')],
      pathNot: '^src/(platform|money/(ledger|lightning))/',
    },
  ),
  error(
    'node-knows-no-ledger',
    'How money travels is not what is owned.',
    { path: '^src/money/lightning/' },
    { path: '^src/money/ledger/' },
  ),
  error(
    'only-interactions-know-the-sign-in',
    'The authorization server asks the sign-in pages for one URL, lets them keep an answer, and implements their port: in one folder.',
    { path: '^src/access/oauth/', pathNot: ['^src/access/oauth/interaction/', '^src/access/oauth/oauth\\.module\\.ts$', SPEC] },
    { path: '^src/access/signin/' },
  ),
  error(
    'adapters-stay-hidden',
    'Which node it is, one folder knows.',
    { path: NODES, pathNot: [`${NODES}(?:simulator|lnd)/`, `${NODES}(?:index|lnd|\\w+\\.module)\\.ts$`, SPEC] },
    { path: `${NODES}(simulator|lnd)/` },
  ),
  error(
    'adapters-have-a-front-door',
    'Adapters are folders in a folder, and are entered by their index.ts too.',
    { path: '^src/', pathNot: [`${NODES}(?:simulator|bolt11|lnd)/`, SPEC] },
    { path: `${NODES}(simulator|bolt11|lnd)/`, pathNot: '/index\\.ts$' },
  ),
];

const edges = [
  error(
    'edges-are-leaves',
    'Only its module knows a resolver or a controller.',
    { pathNot: ['\\.module\\.ts$', SPEC] },
    { path: `^src/.*${EDGE}` },
  ),
  error(
    'edges-touch-no-storage',
    'A resolver or a controller asks a service.',
    { path: EDGE },
    { path: [npm('typeorm', 'pg'), '^src/(platform/database|money/ledger)/', '\\.(store|entity)\\.ts$'] },
  ),
  error(
    'services-know-no-edge',
    'What is behind the edge takes and gives plain values; of GraphQL and HTTP it may name types at most.',
    {
      path: '^src/',
      pathNot: [
        `^src/(${KNOW_THE_EDGE.join('|')})/`,
        '^src/[^/]+\\.ts$',
        ROLES_AT_THE_EDGE,
        `/(${FILES_AT_THE_EDGE.join('|')})\\.ts$`,
        SPEC,
      ],
    },
    {
      path: ['^src/(edge/graphql|generated|edge/http)/', GRAPHQL_PACKAGES, npm('fastify', '@nestjs/platform-[^/]+')],
      dependencyTypesNot: ['type-only'],
    },
  ),
  error(
    'pages-touch-no-storage',
    'Pages and commands show what services say.',
    { path: '^src/(dashboard|access/signin|edge/page|cli|operator/(console|act)|access/oauth/consent)/' },
    { path: [npm('typeorm', 'pg'), '^src/.*\\.(store|entity)\\.ts$'] },
  ),
];

const borders = [
  error(
    'client-knows-no-server',
    'The client runs in programs of other people, and in browsers.',
    { path: '^src/client/', pathNot: SPEC },
    { pathNot: ['^src/client/', TYPED_DOCUMENT, npm('graphql', 'graphql-ws')] },
  ),
  error(
    'server-knows-no-client',
    'The server never calls itself.',
    { path: '^src/', pathNot: ['^src/client/', SPEC] },
    { path: '^src/client/' },
  ),
  error(
    'src-never-imports-test',
    'What is shipped does not need its tests. testing/ is for those who build on Sluice, and the application is not among them.',
    { path: '^(src|migrations)/', pathNot: [SPEC, '^src/testing/'] },
    { path: ['^test/', '^src/testing/', SPEC] },
  ),
  error(
    'no-dev-deps-in-src',
    'npm start installs without them, and so do projects that build on Sluice.',
    { path: '^(src|migrations)/', pathNot: SPEC },
    { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
  ),
  error(
    'migrations-stand-alone',
    'A migration that imports an entity changes when the entity does.',
    { path: '^migrations/' },
    { pathNot: ['^migrations/', npm('typeorm')], dependencyTypesNot: ['core'] },
  ),
  error(
    'only-the-application-migrates',
    'The list of migrations is handed to the database by the application.',
    { path: FOLDER, pathNot: [SPEC, APP_FILES] },
    { path: '^migrations/' },
  ),
  error(
    'extensions-use-the-public-api',
    'The living example may do what an extension outside of this repository can do, and no more.',
    { path: '^test/extensions/([^/]+)/' },
    { path: '^(src|test|migrations|scripts)/', pathNot: ['^src/index\\.ts$', '^src/testing/index\\.ts$', '^test/extensions/$1/'] },
  ),
];

module.exports = {
  forbidden: [...downOnly, ...subfoldersDownOnly, ...appDownOnly, ...shape, ...core, ...edges, ...borders],
  options: {
    // generated/ names rows of features that import it: as types, which is no cycle of anything that runs.
    doNotFollow: { path: ['node_modules', '^src/generated/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
};
