/**
 * Tests that an old Node can break, run on Node 20. The short run: the patterns, by the golden cases and those of trust, and the conformance suite for one
 * entry of each adapter, with the newest major that runs on Node 20 (of the AI SDK its wiring). The long run: also the unit tests of every module, the other entries, and recall.
 * Other tests over several parts run on the newer Node only, because their results do not depend on it. Sources run as TypeScript: in this process through
 * Vite, in child processes through tsx.
 */
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { plainSummaryReporter } from '../plain-summary-reporter.ts'
import { CORE_SOURCES } from '../support/core-sources.ts'
import { PROJECT_SETTINGS } from '../support/project-settings.ts'
import { IS_LONG_RUN } from '../support/rounds.ts'
import { putTemporaryFoldersInMemory } from '../support/temporary-folders.ts'

const PACKAGES = join(import.meta.dirname, '../../packages')
const project = (folder: string, short: readonly string[], long: readonly string[] = []) => ({
  extends: true as const,
  ...(folder === 'core' ? { resolve: { alias: CORE_SOURCES } } : {}),
  test: { name: `${folder} on Node 20`, root: join(PACKAGES, folder), include: [...short, ...(IS_LONG_RUN ? long : [])] },
})

const UNIT = 'src/**/*.test.ts'

putTemporaryFoldersInMemory()

export default defineConfig({
  test: {
    ...PROJECT_SETTINGS,
    // What is built goes through Vite too: loaded by Node, the kits of core would find the workspace's own Vitest.
    server: {},
    projects: [
      project('core', ['test/*.vectors.test.ts', 'test/trust/**/!(*.property).test.ts'], [UNIT]),
      // ai 7 needs Node 22; the two tests over all majors have ai 5, and all ways of calling.
      project('ai-sdk', ['test/conformance/ai-6.test.ts'], [UNIT, 'test/ways-of-calling.test.ts', 'test/stream-endings.test.ts']),
      project('langchain', ['test/conformance/with-hermes.test.ts'], [UNIT, 'test/conformance/*.test.ts', 'test/agent.test.ts']),
      project('openai-agents', ['test/conformance/oldest.test.ts'], [UNIT]),
      project('otel', [UNIT, 'test/**/*.test.ts']),
      project('postgres', [], [UNIT]),
      // It needs Node 22.13, and says so.
      project('sqlite', ['test/old-node.test.ts']),
      // Over libsql.
      project('testing', [], [UNIT]),
      project('recall', ['test/sqlite-index.test.ts'], [UNIT, 'test/provider.test.ts', 'test/hostile.test.ts']),
    ].filter(({ test }) => test.include.length > 0),
    isolate: false,
    maxWorkers: '100%',
    setupFiles: [join(import.meta.dirname, 'children-read-typescript.ts')],
    reporters: ['default', plainSummaryReporter()],
  },
})
