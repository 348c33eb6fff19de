import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { name: 'otel', isolate: false, testTimeout: 30_000, hookTimeout: 30_000 } })
