import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { CORE_SOURCES } from '../support/core-sources.ts'
import { putTemporaryFoldersInMemory } from '../support/temporary-folders.ts'
import { MUTATED_FOLDERS, SLOW_TESTS } from './folders.ts'

putTemporaryFoldersInMemory()

const root = join(import.meta.dirname, '../../packages/core')
const folder = MUTATED_FOLDERS[process.env['HERMES_MUTANTS'] ?? '']
const runner = join(import.meta.dirname, 'warm/serve-tests.ts')
const exclude = [...configDefaults.exclude, ...SLOW_TESTS]

/** The tests of one folder, named in HERMES_MUTANTS, as the mutation run needs them: in one process, but each isolated file in its own. */
export default defineConfig({
  root,
  test: {
    projects: [
      {
        root,
        resolve: { alias: CORE_SOURCES },
        test: {
          name: 'shared',
          include: [...(folder?.tests ?? [])],
          exclude: [...exclude, '**/*.isolated.test.ts'],
          isolate: false,
          runner,
        },
      },
      { root, resolve: { alias: CORE_SOURCES }, test: { name: 'isolated', include: [...(folder?.isolatedTests ?? [])], exclude, runner } },
    ],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
