/**
 * Tests that an old Node can break, run on Node 20: the unit tests of every module; the patterns, by the golden cases and those of trust;
 * each adapter, by one conformance suite for each of its entries, with the newest major that runs on Node 20. Other tests over several
 * parts run on the newer Node only, because their results do not depend on it. Sources run as TypeScript: in this process through Vite, in
 * child processes through tsx.
 */
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { plainSummaryReporter } from '../plain-summary-reporter.ts'
import { PROJECT_SETTINGS } from '../support/project-settings.ts'
import { putTemporaryFoldersInMemory } from '../support/temporary-folders.ts'

const PACKAGES = join(import.meta.dirname, '../../packages')
const project = (folder: string, include: readonly string[]) => ({
  extends: true as const,
  test: { name: `${folder} on Node 20`, root: join(PACKAGES, folder), include: [...include] },
})

putTemporaryFoldersInMemory()

export default defineConfig({
  test: {
    projects: [
      project('core', ['src/**/*.test.ts', 'test/*.vectors.test.ts', 'test/trust/**/!(*.property).test.ts']),
      // ai 7 needs Node 22; the two tests over all majors have ai 5, and all ways of calling.
      project('ai-sdk', [
        'src/**/*.test.ts',
        'test/conformance/ai-6.test.ts',
        'test/ways-of-calling.test.ts',
        'test/stream-endings.test.ts',
      ]),
      project('langchain', ['src/**/*.test.ts', 'test/conformance/each-entry.test.ts', 'test/agent.test.ts']),
      project('otel', ['src/**/*.test.ts', 'test/**/*.test.ts']),
      project('postgres', ['src/**/*.test.ts']),
      // It needs Node 22.13, and says so.
      project('sqlite', ['test/old-node.test.ts']),
      // Over libsql.
      project('recall', ['src/**/*.test.ts', 'test/sqlite-index.test.ts', 'test/provider.test.ts', 'test/hostile.test.ts']),
    ],
    isolate: false,
    maxWorkers: '100%',
    setupFiles: [join(import.meta.dirname, 'children-read-typescript.ts')],
    reporters: ['default', plainSummaryReporter()],
    ...PROJECT_SETTINGS,
  },
})
