import { defineConfig } from 'vitest/config'

/** The tests share a process: they keep no state in modules, and loading the command takes longer than most test files. */
export default defineConfig({ test: { name: 'cli', isolate: false, testTimeout: 30_000, hookTimeout: 30_000 } })
