// The dependency law. `npm run lint:deps` holds the tree to it, test/architecture/dependency-law.spec.ts proves that each rule bites,
// and docs/adr/0002 says why it is as it is.

const { ORDER, ROOMS, SUBFOLDERS, ROOT_ORDER } = require('./.dependency-order.cjs');

/** What ends a process or begins one: these alone start an application, so these alone may know the root. */
const STARTERS = ['cli', 'testing'];

const after = (list, item) => list.slice(list.indexOf(item) + 1);
const dotted = (files) => files.join('|').replaceAll('.', '\\.');
const npm = (...names) => `(^|/)node_modules/(${names.join('|')})/`;
/** A package of types alone: there is no file to resolve it to. */
const TYPED_DOCUMENT = '^@graphql-typed-document-node/core$';
const SPEC = '\\.spec\\.ts$';
const EDGE = '\\.(resolver|controller)\\.ts$';
/** The folders that are the edge, or put an application together. */
const KNOW_THE_EDGE = [...ROOMS.edge, ...ROOMS.dashboard, ...ROOMS.app, ...ROOMS.above, 'generated'];
/** The files elsewhere that speak GraphQL or HTTP. */
const ROLES_AT_THE_EDGE = '\\.(resolver|controller|module|payload|filter)\\.ts$';
/** Files without such a role that read or answer requests: cookies, parameters, the fields that a query selects, GraphQL errors. */
const FILES_AT_THE_EDGE = [
  ...['sign-in-cookies', 'flash-cookie', 'pre-session', 'page-sessions', 'return-pages', 'kept-fields', 'binding'],
  ...['parameters', 'client-form', 'form-endpoints', 'selection', 'wallet-filter', 'realtime-price'],
  'passwords', // it waits for its turn in the queues of http
];
const GRAPHQL_PACKAGES = npm('graphql', 'graphql-ws', '@nestjs/(graphql|apollo)', '@apollo/[^/]+');

/** What lies in src and has no place in the order. */
const UNLISTED = {
  path: '^src/',
  pathNot: [`^src/(${ORDER.join('|')})/`, `^src/(${dotted(ROOT_ORDER)})\\.ts$`],
};

const error = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to });

/** `generated` alone may name what comes after it: the rows of features, as types. It is not followed (see options), so it has no rule. */
const upOnly = ORDER.filter((folder) => folder !== 'generated' && after(ORDER, folder).length > 0).map((folder) =>
  error(
    `${folder}-imports-up-only`,
    'Imports point up the list ORDER only.',
    { path: `^src/${folder}/`, pathNot: SPEC },
    { path: `^src/(${after(ORDER, folder).join('|')})/` },
  ),
);

const subfoldersUpOnly = Object.entries(SUBFOLDERS).flatMap(([folder, subfolders]) =>
  subfolders
    .slice(0, -1)
    .map((subfolder) =>
      error(
        `${folder}-${subfolder}-imports-up-only`,
        'Imports point up the list SUBFOLDERS only.',
        { path: `^src/${folder}/${subfolder}/`, pathNot: SPEC },
        { path: `^src/${folder}/(${after(subfolders, subfolder).join('|')})/` },
      ),
    ),
);

/** The public surface shows the operator's commands too, so that a team can add its own. */
const startersBeyond = (file) => (file === 'index' ? STARTERS.filter((folder) => folder !== 'cli') : STARTERS);

const rootUpOnly = ROOT_ORDER.map((file) =>
  error(
    `root-${file.replace('.', '-')}-imports-up-only`,
    'What is put together does not know what puts it together.',
    { path: `^src/${dotted([file])}\\.ts$` },
    { path: [`^src/(${dotted([...after(ROOT_ORDER, file), 'main'])})\\.ts$`, `^src/(${startersBeyond(file).join('|')})/`] },
  ),
);

const shape = [
  error('no-cycles', 'A cycle has no bottom to begin reading at.', {}, { circular: true }),
  error(
    'no-orphans',
    'A file without an importer that imports nothing does nothing.',
    { orphan: true, pathNot: ['\\.d\\.ts$', SPEC, '^src/generated/', '^src/page/(enhance|editor)\\.js$'] },
    {},
  ),
  error('no-unresolvable', 'An import that leads nowhere.', {}, { couldNotResolve: true, pathNot: TYPED_DOCUMENT }),
  error('unlisted-files-import-nothing', 'A new folder or root file first gets its place in ORDER, and an ADR.', UNLISTED, {}),
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
    'Another folder is imported through its index.ts; kernel and generated have none and are imported by file.',
    { path: '^src/([^/]+)/' },
    { path: '^src/[^/]+/', pathNot: ['^src/$1/', '^src/[^/]+/index\\.ts$', '^src/(kernel|generated)/'] },
  ),
  error(
    'root-enters-by-the-front-door',
    'As above. codegen-base is imported by file, because the code generator must be able to load it alone.',
    { path: '^src/[^/]+\\.ts$' },
    { path: '^src/[^/]+/', pathNot: ['^src/[^/]+/index\\.ts$', '^src/kernel/', '^src/graphql/codegen-base\\.ts$'] },
  ),
  error(
    'only-starters-know-the-root',
    'A folder that imports the application cannot be a part of it.',
    { path: '^src/[^/]+/', pathNot: [`^src/(${STARTERS.join('|')})/`, SPEC] },
    { path: '^src/[^/]+\\.ts$' },
  ),
  error(
    'generated-is-types-only',
    'Generated code is erased by the compiler: it never runs.',
    { path: '^src/' },
    { path: '^src/generated/', dependencyTypesNot: ['type-only'] },
  ),
];

const core = [
  error(
    'kernel-is-pure',
    'Names, amounts and secrets need nothing but what Node has to compute with, not even a package.',
    { path: '^src/kernel/', pathNot: SPEC },
    { pathNot: ['^src/kernel/', '^(node:)?(crypto|zlib)$'] },
  ),
  error(
    'money-knows-no-api',
    'Money, node and database never see GraphQL, HTTP, who is asking, or a feature.',
    { path: '^src/(ledger|lightning|database|job|events)/' },
    {
      path: ['^src/', GRAPHQL_PACKAGES, npm('fastify', 'passport[^/]*', '@nestjs/(passport|platform-[^/]+)')],
      pathNot: '^src/(kernel|config|logging|metrics|loop|database|job|events|ledger|lightning)/',
    },
  ),
  error('ledger-knows-no-node', 'The books do not know how money travels.', { path: '^src/ledger/' }, { path: '^src/lightning/' }),
  error('node-knows-no-ledger', 'How money travels is not what is owned.', { path: '^src/lightning/' }, { path: '^src/ledger/' }),
  error(
    'credentials-know-no-money',
    'A key or a grant says who may; it never moves anything.',
    { path: '^src/(api-key|signin|oauth)/' },
    { path: '^src/(wallet|transaction|webhook|invoice|lnurl|payment|ledger|lightning)/' },
  ),
  error(
    'only-interactions-know-the-sign-in',
    'The authorization server asks the sign-in pages for one URL, lets them keep an answer, and implements their port: in one folder.',
    { path: '^src/oauth/', pathNot: ['^src/oauth/interaction/', '^src/oauth/oauth\\.module\\.ts$', SPEC] },
    { path: '^src/signin/' },
  ),
  error(
    'adapters-stay-hidden',
    'Which node it is, one folder knows.',
    {
      path: '^src/lightning/',
      pathNot: ['^src/lightning/(?:simulator|lnd)/', '^src/lightning/(?:index|lightning\\.module|lnd)\\.ts$', SPEC],
    },
    { path: '^src/lightning/(simulator|lnd)/' },
  ),
  error(
    'adapters-have-a-front-door',
    'Adapters are folders in a folder, and are entered by their index.ts too.',
    { path: '^src/', pathNot: ['^src/lightning/(?:simulator|bolt11|lnd)/', SPEC] },
    { path: '^src/lightning/(simulator|bolt11|lnd)/', pathNot: '/index\\.ts$' },
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
    { path: [npm('typeorm', 'pg'), '^src/(database|ledger)/', '\\.(store|entity)\\.ts$'] },
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
      path: ['^src/(graphql|generated|http)/', GRAPHQL_PACKAGES, npm('fastify', '@nestjs/platform-[^/]+')],
      dependencyTypesNot: ['type-only'],
    },
  ),
  error(
    'pages-touch-no-storage',
    'Pages and commands show what services say.',
    { path: '^src/(dashboard|signin|page|cli|oauth/consent)/' },
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
    'only-the-root-migrates',
    'The list of migrations is handed to the database by the application.',
    { path: '^src/[^/]+/', pathNot: SPEC },
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
  forbidden: [...upOnly, ...subfoldersUpOnly, ...rootUpOnly, ...shape, ...core, ...edges, ...borders],
  options: {
    // generated/ names rows of features that import it: as types, which is no cycle of anything that runs.
    doNotFollow: { path: ['node_modules', '^src/generated/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
};
