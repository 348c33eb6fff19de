import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: ['packages/*', 'examples/*'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
