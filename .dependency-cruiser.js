/** What each room builds on. Data flows one way: a room imports these, and nothing else of ours. */
const rooms = {
  errors: [],
  storage: ['errors'],
  config: ['errors', 'storage'],
  service: ['errors', 'storage', 'config'],
  assets: ['errors', 'storage', 'config', 'service'],
  scan: ['errors', 'assets/formats'],
  usage: ['errors', 'storage', 'config', 'service', 'assets/formats', 'scan'],
  // For people who write pages. Of builds, only one that fails loads it, to name places in the source.
  authoring: ['errors', 'storage', 'config', 'service', 'assets'],
  // Runs in browsers, in Astro's toolbar.
  'authoring/crop-editor': ['assets/geometry'],
  // Runs in browsers too, in the toolbar and in pickers. Messages are types.
  'authoring/library': [
    'errors/place.ts',
    'authoring/crop-editor',
    'authoring/toolbar/protocol.ts',
  ],
  'authoring/picker': [
    'errors/asset-id.ts',
    'authoring/crop-editor',
    'authoring/library',
    'authoring/toolbar/protocol.ts',
  ],
  'authoring/cms': ['assets/geometry', 'authoring/picker', 'authoring/source/edit/write-value.ts'],
  astro: ['errors', 'storage', 'config', 'service', 'assets', 'scan', 'usage', 'authoring'],
  cli: [
    'errors',
    'storage',
    'config',
    'service',
    'assets',
    'scan',
    'usage',
    'authoring',
    'emulator',
  ],
  // One misreading of the interface must not hide in the client and the emulator alike.
  emulator: ['errors'],
};

/** Folders of a room, each of which imports only those before it. */
const layers = {
  assets: [
    ['geometry', 'formats', 'request'],
    ['formats', 'store', 'sources', 'renditions'],
  ],
  usage: [['ledger', 'plan', 'report', 'reconcile']],
};

/** Packages that only some rooms know. */
const packages = {
  astro: ['astro', 'authoring', 'config'],
  sharp: ['assets', 'emulator'],
  hono: ['emulator'],
  htmlparser2: ['astro', 'scan'],
  'rehype-parse': ['scan'],
  unified: ['scan'],
};

const anyOf = (paths) => `^src/(?:${paths.join('|')})(?:/|$)`;

const roomRules = Object.entries(rooms).map(([room, base]) => ({
  name: `${room}-builds-on`,
  comment: `${room} builds on ${base.join(', ') || 'no other room'}.`,
  severity: 'error',
  from: { path: anyOf([room]) },
  to: { path: '^src/', pathNot: anyOf([room, ...base]) },
}));

const layerRules = Object.entries(layers).flatMap(([room, orders]) =>
  orders.flatMap((order) =>
    order.slice(0, -1).map((layer, at) => ({
      name: `${room}-${layer}-comes-before-${order.slice(at + 1).join('-')}`,
      severity: 'error',
      from: { path: anyOf([`${room}/${layer}`]) },
      to: { path: anyOf(order.slice(at + 1).map((later) => `${room}/${later}`)) },
    })),
  ),
);

const packageRules = Object.entries(packages).map(([name, known]) => ({
  name: `${name}-stays-in-${known.join('-and-')}`,
  severity: 'error',
  from: { path: '^src/[^/]+/', pathNot: anyOf([...known, 'components']) },
  to: { path: `(?:^|node_modules/)${name}(?:/|$)` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circle',
      comment: 'Files that import each other, types included, are one file, or need a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...roomRules,
    ...layerRules,
    ...packageRules,
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
};
