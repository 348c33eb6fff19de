import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  // vitest.unit.config.ts has the tests beside the sources.
  test: { name: 'core', exclude: [...configDefaults.exclude, 'src/**'], testTimeout: 30_000, hookTimeout: 30_000 },
})
