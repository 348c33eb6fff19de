import { defineConfig } from 'vitest/config'
import { CORE_SOURCES } from '../../scripts/support/core-sources.ts'
import { PROJECT_SETTINGS } from '../../scripts/support/project-settings.ts'

/** Each file in a process of its own: these tests replace modules of Node or of the sources, so they need a fresh copy of all that imports them. */
export default defineConfig({
  resolve: { alias: CORE_SOURCES },
  test: { name: 'core isolated', include: ['test/**/*.isolated.test.ts'], ...PROJECT_SETTINGS },
})
