import { defineConfig } from 'vitest/config'
import { PROJECT_SETTINGS } from '../../scripts/support/project-settings.ts'

export default defineConfig({
  test: { name: 'coding-agents', isolate: false, ...PROJECT_SETTINGS, exclude: [...PROJECT_SETTINGS.exclude, 'test/hosts/**'] },
})
