import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { name: 'providers', env: { MEM0_TELEMETRY: 'false' } } })
