import { defineConfig } from 'vitest/config'
import { PROJECT_SETTINGS } from '../../scripts/support/project-settings.ts'

export default defineConfig({ test: { name: 'create', isolate: false, include: ['test/**/*.test.ts'], ...PROJECT_SETTINGS } })
