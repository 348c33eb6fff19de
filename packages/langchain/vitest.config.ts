import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'langchain',
    // The tests keep nothing in modules, and loading the framework for each file takes as long as testing.
    isolate: false,
    // Runs as a project of its own, on the old core.
    exclude: [...configDefaults.exclude, 'core-0.3/**'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
