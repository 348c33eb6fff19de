import { defineConfig } from 'vitest/config'

/** The tests share a process: they keep nothing in modules, and loading the command for each file takes longer than most of them. */
export default defineConfig({ test: { name: 'cli', isolate: false, testTimeout: 30_000, hookTimeout: 30_000 } })
