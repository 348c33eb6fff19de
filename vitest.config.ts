import { defineConfig } from 'vitest/config'
import { plainSummaryReporter } from './scripts/plain-summary-reporter.ts'

export default defineConfig({
  test: {
    projects: [
      'packages/*',
      'packages/core/vitest.unit.config.ts',
      'packages/langchain/core-0.3',
      'examples/*',
      { test: { name: 'repository', include: ['scripts/*.test.ts'] } },
      // Needs a registry: `pnpm test:packed` runs it, `pnpm test` does not.
      { test: { name: 'packed', include: ['scripts/packed/*.test.ts'], testTimeout: 300_000, hookTimeout: 300_000 } },
    ],
    reporters: ['default', plainSummaryReporter()],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
