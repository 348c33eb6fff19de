import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { PROJECT_SETTINGS } from '../../../scripts/support/project-settings.ts'

/** The same sources and hosts as in the parent folder, with `@langchain/core` 0.3 and the chains of `langchain` 0.3. */
export default defineConfig({
  root: import.meta.dirname,
  resolve: {
    alias: [{ find: /^@langchain\/classic\//, replacement: 'langchain/' }],
    // Resolved from this folder, whichever file imports them.
    dedupe: ['@langchain/core', 'langchain'],
  },
  test: {
    name: 'langchain on core 0.3',
    isolate: false,
    dir: join(import.meta.dirname, '..'),
    include: ['core-0.3/**/*.test.ts', 'src/**/*.test.ts'],
    ...PROJECT_SETTINGS,
  },
})
