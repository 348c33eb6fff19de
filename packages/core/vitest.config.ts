import { defineConfig } from 'vitest/config'
import { CORE_SOURCES } from '../../scripts/support/core-sources.ts'
import { PROJECT_SETTINGS } from '../../scripts/support/project-settings.ts'

/** The tests share a process, for loading the sources takes most test files as long as testing. `*.isolated.test.ts` replace modules: vitest.isolated.config.ts. */
export default defineConfig({
  resolve: { alias: CORE_SOURCES },
  test: {
    ...PROJECT_SETTINGS,
    name: 'core',
    // vitest.unit.config.ts has the tests beside the sources.
    exclude: [...PROJECT_SETTINGS.exclude, 'src/**', '**/*.isolated.test.ts'],
    isolate: false,
  },
})
