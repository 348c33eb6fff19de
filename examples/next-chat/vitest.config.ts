import { defineConfig } from 'vitest/config'
import { PATIENCE } from '../../scripts/support/patience.ts'

export default defineConfig({ test: { name: 'next-chat', ...PATIENCE, testTimeout: 120_000 } })
