/** The conformance suite on the file system back end: with flock, on a disk; with its fallback lock, where other tests have their files. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storageConformance } from '@hermes/testing'
import { bundledModule } from '../../../../scripts/support/bundled-program.ts'
import { SECOND_EXTENT, STORAGE_ROUNDS } from '../../../../scripts/support/rounds.ts'
import { diskFolder } from '../../../../scripts/support/temporary-folders.ts'
import { open } from './support/open-file-system.ts'

const module = bundledModule(new URL('./support/open-file-system.ts', import.meta.url))

const KINDS = [
  ['lock: auto', { lock: 'auto' }],
  ['lock: exclusive-file', { lock: 'exclusive-file' }],
] as const

/** The mutation run leaves out other processes, since they would run code without the mutant, and all kinds but one, to be quick. */
const processes = process.env['HERMES_MUTANTS'] === undefined

for (const [name, options] of processes ? KINDS : KINDS.slice(0, 1)) {
  const create = async () => {
    const home = await mkdtemp(join(name === 'lock: auto' ? diskFolder() : tmpdir(), 'hermes-conformance-'))
    // On a busy machine, 400 updates that wait for each other take longer than the usual limit.
    const config = { home, ...options, timeoutMs: 60_000 }
    return {
      open: () => open(config),
      dispose: () => rm(home, { recursive: true, force: true }),
      openInChild: { module, config },
    }
  }
  storageConformance(`file system, ${name}`, create, {
    processes,
    ...STORAGE_ROUNDS,
    extent: name === 'lock: auto' ? 'whole' : SECOND_EXTENT,
  })
}
