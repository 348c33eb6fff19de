import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { name: 'postgres', globalSetup: './test/support/global-setup.ts', testTimeout: 60_000, hookTimeout: 60_000 },
})
