import { defineConfig } from 'vitest/config'
import { PROJECT_SETTINGS } from '../../scripts/support/project-settings.ts'

/** The tests share a process: they keep no state in modules but the one PGlite, and loading four clients for each file takes as long as most files. */
export default defineConfig({
  test: {
    name: 'postgres',
    isolate: false,
    globalSetup: './test/support/global-setup.ts',
    runner: './test/support/skip-without-server.ts',
    ...PROJECT_SETTINGS,
  },
})
