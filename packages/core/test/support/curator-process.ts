/**
 * `node curator-process.ts <verb> <home> [module of @hermes/sqlite]`: one verb of the curator, or an undo, over real files or SQLite, with a fixed time. Prints
 * `ready`, begins when it is told to, then prints `done`.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { createHermes } from '../../src/create-hermes.ts'
import { openStored } from './open-stored.ts'

const [verb = '', home = '', sqlite] = process.argv.slice(2)
const AT = Date.UTC(2026, 5, 1, 12)

const PLAN = [
  'They belong together.',
  '```yaml',
  'consolidations:',
  '  - { from: tea-green, into: tea-black, reason: the same task, method: demote }',
  '```',
].join('\n')

const storage = await openStored(home, sqlite)
let ids = 0
const hermes = createHermes({
  storage,
  clock: () => AT,
  createId: () => `id-${verb.startsWith('undo') ? 'undo-' : ''}${++ids}`,
  gate: async () => ({ ok: true, value: { approved: true, reason: 'yes', origin: 'assistant' } }),
  curator: { model: async () => PLAN },
  onEvent: () => undefined,
})

const verbs: Readonly<Record<string, () => Promise<{ readonly ok: boolean }>>> = {
  run: () => hermes.curator.run(),
  merge: () => hermes.curator.run({ consolidate: true }),
  rollback: () => hermes.curator.rollback('2026-05-20'),
  backup: () => hermes.curator.backup('before something'),
  // Of a run, which is a rollback, and of many archivings by hand.
  undo: () => hermes.undo(),
  'undo-many': async () => {
    const records = await hermes.journal.list()
    // The backup is in the journal too, and cannot be undone.
    const archivings = records.ok ? records.value.filter(({ op }) => op?.action === 'archive') : []
    return hermes.undo(archivings.map(({ id }) => id))
  },
  prune: async () => {
    const entries = await hermes.curator.prunable(1)
    return entries.ok ? hermes.curator.prune(entries.value) : entries
  },
}

writeSync(1, 'ready\n')
await once(process.stdin, 'data')
process.stdin.destroy()
const done = await verbs[verb]?.()
if (!done?.ok) throw new Error(`${verb} failed: ${JSON.stringify(done)}`)
await hermes.close()
writeSync(1, 'done\n')
