/** A folder is swapped with a link to the outside at any moment of an operation: nothing outside is read or changed. */

import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { FAULT_STEP, IS_LONG_RUN, rounds } from '../../../../scripts/support/rounds.ts'
import { fileSystemBackend } from '../../src/storage/backends/file-system/index.ts'
import { moveDocuments, readDocument, updateDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { startChild } from './support/child.ts'
import { filesOnDisk, temporaryFolder } from './support/temporary-home.ts'

const OUTSIDE = 'nothing of ours'
const PATH = 'skills/deploy/SKILL.md'
const text = (value: string) => () => new TextEncoder().encode(value)

/** `call`: called before each call that takes a path, except for lock files, which have a separate test because a move takes so many. */
const before = vi.hoisted((): { call?: ((path: string) => void) | undefined } => ({}))

/** The functions of a module, each of which reports its first argument. */
const watch = vi.hoisted(() => (module: object) => {
  const watched = Object.entries(module).map(([name, call]) => {
    if (typeof call !== 'function') return [name, call]
    const intercepted = (...args: unknown[]): unknown => {
      before.call?.(String(args[0]))
      return Reflect.apply(call, module, args)
    }
    return [name, intercepted]
  })
  return Object.fromEntries(watched)
})

vi.mock('node:fs/promises', async (importOriginal) => watch(await importOriginal()))
vi.mock('../../src/storage/backends/file-system/file-calls.ts', async (importOriginal) => watch(await importOriginal()))

afterEach(() => {
  before.call = undefined
})

const places = async (folder: string) => {
  const parent = temporaryFolder()
  const [home, outside, aside] = [join(parent, 'home'), join(parent, 'outside'), join(parent, 'aside')]
  const storage = fileSystemBackend(home)
  for (const below of ['memories', 'skills/deploy', '.locks']) mkdirSync(join(home, below), { recursive: true, mode: 0o700 })
  writeFileSync(join(home, 'memories/MEMORY.md'), 'a note')
  writeFileSync(join(home, PATH), 'a skill')
  writeFileSync(join(home, 'skills/deploy/notes.md'), 'notes')
  mkdirSync(join(outside, 'empty'), { recursive: true })
  for (const name of ['SKILL.md', 'notes.md', 'MEMORY.md', 'file']) writeFileSync(join(outside, name), OUTSIDE)
  const swap = () => {
    renameSync(join(home, folder), aside)
    symlinkSync(outside, join(home, folder))
  }
  const swapBack = () => {
    unlinkSync(join(home, folder))
    renameSync(aside, join(home, folder))
  }
  const expectUntouched = (what: string) => {
    expect(filesOnDisk(outside), what).toEqual(['MEMORY.md', 'SKILL.md', 'empty', 'file', 'notes.md'])
    for (const name of ['SKILL.md', 'notes.md', 'MEMORY.md', 'file']) expect(readFileSync(join(outside, name), 'utf8'), what).toBe(OUTSIDE)
  }
  return { home, aside, storage, swap, swapBack, expectUntouched }
}

const operations: readonly (readonly [string, (storage: StorageBackend) => Promise<unknown>])[] = [
  ['an update', (storage) => updateDocument(storage, PATH, text('changed'))],
  ['a new document', (storage) => updateDocument(storage, 'skills/deploy/references/deep/new.md', text('new'))],
  [
    'a document whose name was made up',
    async (storage) => {
      // Tells where the home is.
      await readDocument(storage, 'memories/MEMORY.md')
      await updateDocument(storage, 'skills/deploy/new.md', text('new'), { newName: true })
    },
  ],
  ['a removal', (storage) => updateDocument(storage, PATH, () => undefined)],
  ['a move out of it', (storage) => moveDocuments(storage, PATH, 'moved.md')],
  ['a move into it', (storage) => moveDocuments(storage, 'memories/MEMORY.md', 'skills/deploy/moved/MEMORY.md')],
]

describe.runIf(process.platform === 'linux')('a folder swapped with a link', () => {
  it.each(operations)(
    'before any call of %s leads nowhere outside',
    async (what, operate) => {
      for (const lasting of [1, Number.POSITIVE_INFINITY]) {
        let calls = Number.POSITIVE_INFINITY
        for (let at = 1; at <= calls; at += FAULT_STEP) {
          const { storage, swap, swapBack, expectUntouched } = await places('skills/deploy')
          let count = 0
          before.call = (path) => {
            if (path.includes('.lock')) return
            count++
            if (count === at) swap()
            if (count === at + lasting) swapBack()
          }
          await operate(storage)
          before.call = undefined
          await storage.close()
          expectUntouched(`${what}, swapped before call ${at} for ${lasting} calls`)
          if (count < at) calls = at
        }
        // Every call was counted: a removal opens folder and document, compares the document, removes it.
        expect(calls).toBeGreaterThan(4)
      }
    },
    120_000,
  )

  it('shows a reader nothing of the outside', async () => {
    const { storage, swap, swapBack } = await places('skills/deploy')
    for (let at = 1; at <= 8; at++) {
      let count = 0
      before.call = () => {
        count++
        if (count === at) swap()
        if (count === at + 1) swapBack()
      }
      const read = await readDocument(storage, PATH)
      before.call = undefined
      if (count === at) swapBack()
      expect(read.ok && read.value && new TextDecoder().decode(read.value.bytes), `${at}`).not.toBe(OUTSIDE)
    }
  })

  it('is written to where it is, when it was swapped after it was opened', async () => {
    const { home, storage, expectUntouched } = await places('skills/deploy')
    const outcome = await updateDocument(storage, PATH, () => {
      renameSync(join(home, 'skills/deploy'), join(home, 'skills/moved'))
      symlinkSync('../../outside', join(home, 'skills/deploy'))
      return text('changed')()
    })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    expect(readFileSync(join(home, 'skills/moved/SKILL.md'), 'utf8')).toBe('a skill')
    expectUntouched('in the change')
  })

  if (IS_LONG_RUN)
    it('reaches nothing outside while another process swaps it all the time', async () => {
      const { home, aside, storage, expectUntouched } = await places('skills/deploy')
      const script = fileURLToPath(new URL('./support/swap-folder.ts', import.meta.url))
      const child = startChild(process.execPath, [
        script,
        JSON.stringify({ folder: join(home, 'skills/deploy'), aside, outside: join(home, '../outside') }),
      ])
      expect(await child.line()).toBe('swapping')
      const codes = new Set<string>()
      for (let round = 0; round < rounds(500); round++) {
        const outcome = await updateDocument(storage, round % 3 === 0 ? 'skills/deploy/notes.md' : PATH, text(`round ${round}`))
        codes.add(outcome.ok ? 'ok' : outcome.error.code)
      }
      child.say('stop')
      expect(await child.line()).toBe('stopped')
      // Both cases occurred: the folder was there, and the link was.
      expect(codes).toContain('ok')
      expect(codes).toContain('invalid_path')
      expectUntouched('the race')
    }, 120_000)
})

describe('the folder of the locks', () => {
  it.each(['auto', 'exclusive-file'] as const)('is refused as a link out of the home, lock: %s', async (lock) => {
    const { home, expectUntouched } = await places('.locks')
    rmSync(join(home, '.locks'), { recursive: true })
    symlinkSync('../outside', join(home, '.locks'))
    const storage = fileSystemBackend(home, { lock, onWarning: () => undefined })
    for (const outcome of [await updateDocument(storage, PATH, text('x')), await moveDocuments(storage, 'skills/deploy', 'skills/other')]) {
      expect(outcome).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
      expect(!outcome.ok && outcome.error.message).toContain("'.locks'")
    }
    expectUntouched('the locks')
  })

  it.runIf(process.platform === 'linux')(
    'creates no lock outside when it is swapped with a link',
    async () => {
      for (const lock of ['auto', 'exclusive-file'] as const) {
        let calls = Number.POSITIVE_INFINITY
        for (let at = 1; at <= calls; at++) {
          const { home, swap, swapBack, expectUntouched } = await places('.locks')
          const storage = fileSystemBackend(home, { lock, onWarning: () => undefined })
          let count = 0
          before.call = () => {
            count++
            if (count === at) swap()
            if (count === at + 1) swapBack()
          }
          await updateDocument(storage, 'sessions/new.json', text('x'))
          before.call = undefined
          await storage.close()
          expectUntouched(`${lock}, swapped before call ${at}`)
          if (count < at) calls = at
        }
        expect(calls).toBeGreaterThan(7)
      }
    },
    120_000,
  )

  it.runIf(process.platform === 'linux')(
    'holds a lock beside its document to the same',
    async () => {
      for (const lock of ['auto', 'exclusive-file'] as const) {
        for (const lasting of [1, Number.POSITIVE_INFINITY]) {
          let calls = Number.POSITIVE_INFINITY
          for (let at = 1; at <= calls; at++) {
            const { home, swap, swapBack, expectUntouched } = await places('memories')
            const storage = fileSystemBackend(home, { lock, linkedDocuments: [], onWarning: () => undefined })
            let count = 0
            before.call = () => {
              count++
              if (count === at) swap()
              if (count === at + lasting) swapBack()
            }
            await updateDocument(storage, 'memories/MEMORY.md', text('changed'))
            before.call = undefined
            await storage.close()
            expectUntouched(`${lock}, swapped before call ${at} for ${lasting} calls`)
            if (count < at) calls = at
          }
          expect(calls).toBeGreaterThan(7)
        }
      }
    },
    120_000,
  )
})
