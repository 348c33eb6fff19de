import { defineConfig } from 'vitest/config'
import { PROJECT_SETTINGS } from '../../scripts/support/project-settings.ts'

/** The tests share a process: they keep no state in modules, and starting one takes longer than most files. */
export default defineConfig({ test: { name: 'testing', isolate: false, ...PROJECT_SETTINGS } })
