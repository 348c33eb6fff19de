/** The packages' own tests on Node 20. Sources come as TypeScript there too, in this process through Vite and in child processes through tsx. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineConfig } from 'vitest/config'
import { plainSummaryReporter } from '../plain-summary-reporter.ts'

const PACKAGES = join(import.meta.dirname, '../../packages')
const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

const project = (folder: string, include: readonly string[], name = folder) => ({
  extends: true as const,
  test: { name: `${name} on Node 20`, root: join(PACKAGES, folder), include: [...include] },
})

export default defineConfig({
  test: {
    projects: [
      project('core', ['src/**/*.test.ts']),
      project('core', ['test/*.vectors.test.ts', 'test/session/**/*.test.ts', 'test/trust/**/*.test.ts'], 'parts of core'),
      project('ai-sdk', ['src/**/*.test.ts', 'test/conformance.test.ts', 'test/ways-of-calling.test.ts', 'test/stream-endings.test.ts']),
      project('langchain', ['src/**/*.test.ts', 'test/conformance.test.ts', 'test/agent.test.ts']),
    ],
    isolate: false,
    maxWorkers: '100%',
    env: { NODE_OPTIONS: `--import ${TSX}` },
    reporters: ['default', plainSummaryReporter()],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
