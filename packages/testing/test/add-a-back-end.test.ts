/** Runs the storage conformance suite on the back end of docs/add-a-back-end.md, unchanged. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bundledModule } from '../../../scripts/support/bundled-program.ts'
import { SECOND_EXTENT, STORAGE_ROUNDS } from '../../../scripts/support/rounds.ts'
import { storageConformance } from '../src/index.ts'
import { createDatabase, open } from './back-end-page/open-sql-backend.ts'
import { sqlBackend } from './back-end-page/sql-backend.ts'

const FOLDER = join(import.meta.dirname, 'back-end-page')
const page = readFileSync(join(import.meta.dirname, '../../../docs/add-a-back-end.md'), 'utf8')

it('is in the page, block after block', () => {
  const blocks = [...page.matchAll(/^```ts\n\/\/ sql-backend\.ts\n([\s\S]*?)^```/gm)].map(([, block]) => block)
  const code = readFileSync(join(FOLDER, 'sql-backend.ts'), 'utf8')
  expect(blocks.join('\n')).toBe(code)
  expect(code.split('\n').length).toBeLessThanOrEqual(151)
})

it('reports a database that fails', async () => {
  const lost = sqlBackend(async () => {
    throw new Error('socket hang up')
  })
  for (const outcome of [
    await lost.read(['doc']),
    await lost.list(''),
    await lost.update(['doc'], () => ({ put: { doc: null }, value: 0 })),
  ]) {
    expect(outcome).toMatchObject({ ok: false, error: { code: 'io', message: expect.stringContaining('socket hang up') } })
  }
})

storageConformance(
  'the back end of the page',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hermes-page-'))
    const config = { file: join(folder, 'documents.db') }
    createDatabase(config.file)
    return {
      open: () => open(config),
      dispose: async () => rmSync(folder, { recursive: true }),
      openInChild: { module: bundledModule(new URL('./back-end-page/open-sql-backend.ts', import.meta.url)), config },
    }
  },
  { ...STORAGE_ROUNDS, extent: SECOND_EXTENT },
)
