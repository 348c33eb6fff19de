import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { plainSummaryReporter } from './scripts/plain-summary-reporter.ts'
import { PROJECT_SETTINGS } from './scripts/support/project-settings.ts'
import { IS_LONG_RUN } from './scripts/support/rounds.ts'
import { putTemporaryFoldersInMemory } from './scripts/support/temporary-folders.ts'

// For the processes that tests start: compiling the sources is most of what a short one does.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

putTemporaryFoldersInMemory()

/** Only in CI, where all tests run. */
const budget = process.env['CI'] && !IS_LONG_RUN ? { fileSeconds: 10, runSeconds: 400, referenceSeconds: 0.000_23 } : undefined

export default defineConfig({
  test: {
    projects: [
      'packages/*',
      'packages/core/vitest.unit.config.ts',
      'packages/core/vitest.isolated.config.ts',
      'packages/langchain/core-0.3',
      'examples/*',
      'docs',
      { test: { name: 'repository', isolate: false, include: ['scripts/*.test.ts'], ...PROJECT_SETTINGS } },
      // Runs programs of others, which a registry has: `pnpm test:hosts` runs it, `pnpm test` does not.
      {
        test: {
          name: 'hosts',
          include: ['packages/coding-agents/test/hosts/*.test.ts'],
          ...PROJECT_SETTINGS,
          // The programs need most of the time, and more of it on a busy machine.
          testTimeout: 900_000,
        },
      },
      // Needs a registry: `pnpm test:packed` runs it, `pnpm test` does not.
      {
        test: {
          name: 'packed',
          // The files share what TypeScript 5 has read.
          isolate: false,
          include: ['scripts/packed/*.test.ts'],
          globalSetup: 'scripts/packed/pack.ts',
          ...PROJECT_SETTINGS,
          testTimeout: 300_000,
        },
      },
    ],
    reporters: ['default', plainSummaryReporter(budget)],
    ...PROJECT_SETTINGS,
  },
})
