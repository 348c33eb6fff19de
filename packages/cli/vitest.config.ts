import { defineConfig } from 'vitest/config'
import { PROJECT_SETTINGS } from '../../scripts/support/project-settings.ts'

/** The tests share a process: they keep no state in modules, and loading the command takes longer than most test files. */
export default defineConfig({ test: { name: 'cli', isolate: false, ...PROJECT_SETTINGS } })
