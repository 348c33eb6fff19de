/** What every test project has in common. */
import { join } from 'node:path'
import { IS_LONG_RUN } from './rounds.ts'

/** Time limits, in milliseconds: a test fails because something is wrong, not because the machine is busy. */
const LIMITS = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // Vitest's own limit for `expect.poll` is one second.
  expect: { poll: { timeout: 20_000 } },
}

export const PROJECT_SETTINGS = {
  ...LIMITS,
  exclude: ['**/node_modules/**', '**/.git/**', ...(IS_LONG_RUN ? [] : ['**/*.long.test.ts'])],
  // What is built needs no transformation: Node loads it as users do.
  server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } },
  setupFiles: [join(import.meta.dirname, 'record-processor-time.ts')],
}
