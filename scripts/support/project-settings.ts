/** What every test project has in common. */
import { join } from 'node:path'

/** Time limits, in milliseconds: a test fails because something is wrong, not because the machine is busy. */
const LIMITS = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // Vitest's own limit for `expect.poll` is one second.
  expect: { poll: { timeout: 20_000 } },
}

export const PROJECT_SETTINGS = { ...LIMITS, setupFiles: [join(import.meta.dirname, 'record-processor-time.ts')] }
