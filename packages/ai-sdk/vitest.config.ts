import { defineConfig } from 'vitest/config'
import { PATIENCE } from '../../scripts/support/patience.ts'

/** The tests share a process: they keep no state in modules, and otherwise each file would load three majors of the framework again. */
export default defineConfig({ test: { name: 'ai-sdk', isolate: false, ...PATIENCE } })
