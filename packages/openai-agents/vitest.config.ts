import { defineConfig } from 'vitest/config'
import { PROJECT_SETTINGS } from '../../scripts/support/project-settings.ts'

/** The tests share a process: they keep no state in modules, and otherwise each file would load two releases of the framework again. */
export default defineConfig({ test: { name: 'openai-agents', isolate: false, ...PROJECT_SETTINGS } })
