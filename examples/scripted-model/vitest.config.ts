import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { name: 'scripted-model', isolate: false } })
