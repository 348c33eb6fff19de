import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { PROJECT_SETTINGS } from '../../scripts/support/project-settings.ts'

const setupFiles = [...PROJECT_SETTINGS.setupFiles, join(import.meta.dirname, 'test/nothing-past-the-streams.ts')]

export default defineConfig({ test: { name: 'chat-agent', isolate: false, ...PROJECT_SETTINGS, setupFiles } })
