import { defineConfig } from 'vitest/config'

/** Each file in a process of its own: these tests replace modules of Node or of the sources, so they need a fresh copy of all that imports them. */
export default defineConfig({
  test: { name: 'core isolated', include: ['test/**/*.isolated.test.ts'], testTimeout: 30_000, hookTimeout: 30_000 },
})
