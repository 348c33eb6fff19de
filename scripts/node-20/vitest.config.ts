/** The packages' own tests on Node 20. Sources come as TypeScript there too, in this process through Vite and in child processes through tsx. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineConfig } from 'vitest/config'
import { plainSummaryReporter } from '../plain-summary-reporter.ts'

const PACKAGES = join(import.meta.dirname, '../../packages')
const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

const project = (name: string, include: readonly string[], options: { readonly isolate?: boolean } = {}) => ({
  extends: true as const,
  test: { ...options, name: `${name} on Node 20`, root: join(PACKAGES, name), include: [...include] },
})

export default defineConfig({
  test: {
    projects: [
      project('core', ['src/**/*.test.ts'], { isolate: false }),
      project('ai-sdk', ['src/**/*.test.ts']),
      project('langchain', ['src/**/*.test.ts']),
    ],
    env: { NODE_OPTIONS: `--import ${TSX}` },
    reporters: ['default', plainSummaryReporter()],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
