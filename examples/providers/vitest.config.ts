import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { PROJECT_SETTINGS } from '../../scripts/support/project-settings.ts'

export default defineConfig({
  test: {
    name: 'providers',
    isolate: false,
    ...PROJECT_SETTINGS,
    env: { MEM0_TELEMETRY: 'false', MEM0_DIR: join(tmpdir(), 'hermes-mem0') },
    server: { deps: { inline: ['mem0ai'] } },
  },
  resolve: { alias: { 'better-sqlite3': join(import.meta.dirname, 'test/support/better-sqlite3.ts') } },
})
