import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { name: 'chat-parts', isolate: false } })
