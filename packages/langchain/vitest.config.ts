import { defineConfig } from 'vitest/config'
import { PROJECT_SETTINGS } from '../../scripts/support/project-settings.ts'

export default defineConfig({
  test: {
    ...PROJECT_SETTINGS,
    name: 'langchain',
    // The tests keep no state in modules, and loading the framework for each file takes as long as the tests.
    isolate: false,
    // Runs as a separate project, on the old core.
    exclude: [...PROJECT_SETTINGS.exclude, 'core-0.3/**'],
  },
})
