/** Processes with and without flock on one home: each kind of lock excludes the other. */

import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundledModule, bundledProgram } from '../../../../scripts/support/bundled-program.ts'
import { firstOf, IS_LONG_RUN, rounds } from '../../../../scripts/support/rounds.ts'
import { fileSystemBackend } from '../../src/storage/backends/file-system/index.ts'
import { EXPIRES_AFTER_MS } from '../../src/storage/backends/file-system/lock-holder.ts'
import { lockOf } from '../../src/storage/backends/file-system/own-files.ts'
import { moveDocuments, updateDocument } from '../../src/storage/one-document.ts'
import { entriesAt } from '../../src/testing/storage-conformance/entry-log.ts'
import { startWriter } from '../../src/testing/storage-conformance/writer-process.ts'
import { startChild } from './support/child.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const PATH = 'memories/MEMORY.md'
/** Long enough for eight processes on a busy machine. */
const PATIENCE_MS = 120_000
const module = bundledModule(new URL('./support/open-file-system.ts', import.meta.url))
const holder = bundledProgram(new URL('./support/hold-lock.ts', import.meta.url))
const one = () => new Uint8Array([1])
const open = (home: string, lock: 'auto' | 'exclusive-file', lockTimeoutMs = 10_000) =>
  fileSystemBackend(home, { lock, lockTimeoutMs, onWarning: () => undefined })

const hold = async (home: string, lock: 'auto' | 'exclusive-file', path: string) => {
  const child = startChild(process.execPath, [holder, JSON.stringify({ home, lock, path, text: 'theirs' })])
  expect(await child.line()).toBe('held')
  return child
}

const secondsAgo = (file: string, milliseconds: number): void => {
  const time = new Date(Date.now() - milliseconds)
  utimesSync(file, time, time)
}

const WRITERS = IS_LONG_RUN ? 8 : 2
const UPDATES = rounds(50)

it(
  `keeps all ${WRITERS * UPDATES} updates of one document by ${WRITERS} processes, half of them without flock`,
  async () => {
    const path = 'notes/log.json'
    const home = temporaryFolder()
    const writers = Array.from({ length: WRITERS }, (_, writer) =>
      startWriter({
        module,
        config: { home, lock: writer % 2 === 0 ? 'auto' : 'exclusive-file', lockTimeoutMs: 60_000 },
        path,
        writer: `${writer}`,
        times: UPDATES,
      }),
    )
    await Promise.all(writers.map((writer) => writer.ready))
    for (const writer of writers) writer.go()
    const acknowledged = (await Promise.all(writers.map((writer) => writer.finished))).flat()
    const kept = await entriesAt(open(home, 'auto'), path)
    expect(acknowledged).toHaveLength(WRITERS * UPDATES)
    expect([...kept].sort()).toEqual([...acknowledged].sort())
  },
  PATIENCE_MS,
)

const PAIRS = [
  ['auto', 'exclusive-file'],
  ['exclusive-file', 'auto'],
] as const

describe.each(firstOf(PAIRS))('a holder with lock: %s', (theirs, ours) => {
  it(`keeps out updates and moves with lock: ${ours}`, async () => {
    const home = temporaryFolder()
    await updateDocument(open(home, ours), 'notes/a', one)
    const child = await hold(home, theirs, PATH)
    const hasty = open(home, ours, 60)
    expect(await updateDocument(hasty, PATH, one)).toMatchObject({ ok: false, error: { code: 'locked' } })
    expect(await moveDocuments(hasty, 'memories', 'old')).toMatchObject({ ok: false, error: { code: 'locked' } })
    child.say('go')
    expect(await child.line()).toBe('written')
    expect(await updateDocument(hasty, PATH, one)).toMatchObject({ ok: true })
    expect(await moveDocuments(hasty, 'memories', 'old')).toMatchObject({ ok: true })
  })

  it(`keeps out nobody once it was killed, lock: ${ours}`, async () => {
    const home = temporaryFolder()
    const child = await hold(home, theirs, PATH)
    child.process.kill('SIGKILL')
    await child.ended
    expect(await updateDocument(open(home, ours), PATH, one)).toMatchObject({ ok: true })
  })
})

if (IS_LONG_RUN)
  describe('a holder that cannot be asked', () => {
    const foreign = JSON.stringify({ pid: 1, host: 'elsewhere', at: 0 })

    it(
      'is taken over from by one of many processes at a time',
      async () => {
        const home = temporaryFolder()
        const file = join(home, `${lockOf(PATH)}.excl`)
        mkdirSync(join(home, 'memories'))
        const writers = Array.from({ length: WRITERS }, (_, writer) =>
          startWriter({
            module,
            config: { home, lock: writer % 2 === 0 ? 'auto' : 'exclusive-file', lockTimeoutMs: 60_000 },
            path: PATH,
            writer: `${writer}`,
            times: rounds(20),
          }),
        )
        await Promise.all(writers.map((writer) => writer.ready))
        writeFileSync(file, foreign)
        secondsAgo(file, EXPIRES_AFTER_MS + 5_000)
        for (const writer of writers) writer.go()
        const acknowledged = (await Promise.all(writers.map((writer) => writer.finished))).flat()
        expect(acknowledged).toHaveLength(WRITERS * rounds(20))
        expect([...(await entriesAt(open(home, 'auto'), PATH))].sort()).toEqual([...acknowledged].sort())
      },
      PATIENCE_MS,
    )
  })
