import { defineConfig } from 'vitest/config'
import { PROJECT_SETTINGS } from '../../scripts/support/project-settings.ts'

export default defineConfig({ test: { name: 'chat-agent', isolate: false, ...PROJECT_SETTINGS } })
