import { defineConfig } from 'vitest/config'

/** The tests share a process: they keep no state in modules, and starting one takes longer than most files. */
export default defineConfig({ test: { name: 'recall', isolate: false, testTimeout: 60_000, hookTimeout: 60_000 } })
