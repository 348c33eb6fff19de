import { defineConfig } from 'vitest/config'
import { PROJECT_SETTINGS } from '../../scripts/support/project-settings.ts'

export default defineConfig({ test: { name: 'openai-agents-example', ...PROJECT_SETTINGS, testTimeout: 120_000 } })
