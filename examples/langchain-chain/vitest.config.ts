import { defineConfig } from 'vitest/config'
import { PATIENCE } from '../../scripts/support/patience.ts'

export default defineConfig({ test: { name: 'langchain-chain', ...PATIENCE, testTimeout: 120_000 } })
