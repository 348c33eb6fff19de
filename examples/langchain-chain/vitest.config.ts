import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { name: 'langchain-chain', testTimeout: 120_000, hookTimeout: 60_000 } })
