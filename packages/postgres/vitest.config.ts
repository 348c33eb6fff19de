import { defineConfig } from 'vitest/config'

/** The tests share a process: they keep no state in modules but the one PGlite, and loading four clients for each file takes as long as most files. */
export default defineConfig({
  test: { name: 'postgres', isolate: false, globalSetup: './test/support/global-setup.ts', testTimeout: 60_000, hookTimeout: 60_000 },
})
