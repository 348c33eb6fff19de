import { defineConfig } from 'vitest/config'
import { CORE_SOURCES } from '../../scripts/support/core-sources.ts'
import { PROJECT_SETTINGS } from '../../scripts/support/project-settings.ts'

/** The tests beside the sources share one process: they keep nothing in modules, and loading the sources for each file would take three times as long. */
export default defineConfig({
  resolve: { alias: CORE_SOURCES },
  test: { name: 'core unit', include: ['src/**/*.test.ts'], isolate: false, ...PROJECT_SETTINGS },
})
