import { defineConfig } from 'vitest/config'
import { PROJECT_SETTINGS } from '../../scripts/support/project-settings.ts'

/** The tests share a process: they keep no state in modules, and otherwise each file would load three majors of the framework again. */
export default defineConfig({ test: { name: 'ai-sdk', isolate: false, ...PROJECT_SETTINGS } })
