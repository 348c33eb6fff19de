import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { name: 'next-chat', testTimeout: 120_000, hookTimeout: 60_000 } })
