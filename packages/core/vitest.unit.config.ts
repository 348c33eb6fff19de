import { defineConfig } from 'vitest/config'

/** The tests beside the sources share one process: they keep nothing in modules, and loading the sources for each file would take three times as long. */
export default defineConfig({
  test: { name: 'core unit', include: ['src/**/*.test.ts'], isolate: false, testTimeout: 30_000, hookTimeout: 30_000 },
})
