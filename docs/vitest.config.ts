import { defineConfig } from 'vitest/config'
import { PATIENCE } from '../scripts/support/patience.ts'

export default defineConfig({ test: { name: 'docs', ...PATIENCE } })
