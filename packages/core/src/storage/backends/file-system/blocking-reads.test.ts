/** The quick way to read: the same documents as the careful way, and nothing where anything is out of the ordinary. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openFilesBelow } from '../../../../test/storage/support/open-files.ts'
import { temporaryFolder } from '../../../../test/storage/support/temporary-home.ts'
import { createTurns, entriesNow, readNow, statusNow } from './blocking-reads.ts'
import { readDocumentFile } from './document-file.ts'

let folder: string

beforeEach(() => {
  folder = temporaryFolder()
})

const at = (name: string) => join(folder, name)
const read = (name: string) => readNow({ way: at(name), file: at(name) })

describe.runIf(process.platform === 'linux')('a document that is read at once', () => {
  it.each([
    ['a text', 'The API is deployed with Kamal.', 0o600],
    ['an empty file', '', 0o600],
    ['a script', '#!/bin/sh', 0o700],
    ['a script that only others may run', '#!/bin/sh', 0o611],
  ])('is that of the careful way: %s', async (_, text, mode) => {
    writeFileSync(at('a'), text)
    chmodSync(at('a'), mode)
    const careful = await readDocumentFile(at('a'))
    const document = read('a')
    expect(document).toEqual(typeof careful === 'object' && careful.document)
    expect(document?.executable).toBe((mode & 0o100) !== 0 ? true : undefined)
    expect(document?.bytes).toHaveLength(text.length)
  })

  it('is found by the way and must be at its file', () => {
    writeFileSync(at('a'), 'x')
    symlinkSync('.', at('link'))
    expect(readNow({ way: at('link/a'), file: at('a') })?.bytes).toEqual(new Uint8Array([0x78]))
    expect(readNow({ way: at('link/a'), file: at('link/a') })).toBeUndefined()
    expect(readNow({ way: at('a'), file: at('b') })).toBeUndefined()
  })

  it('is none if it is missing, a folder, a link, a pipe or a file that the system makes up', () => {
    mkdirSync(at('folder'))
    symlinkSync('folder', at('link'))
    for (const name of ['none', 'none/below', 'folder', 'link']) expect(read(name), name).toBeUndefined()
    if (spawnSync('mkfifo', [at('pipe')]).status === 0) expect(read('pipe')).toBeUndefined()
    // Their size is unknown, or reading fails, or it is a device.
    for (const file of [`/proc/${process.pid}/status`, `/proc/${process.pid}/mem`, '/dev/null'])
      expect(readNow({ way: file, file }), file).toBeUndefined()
  })

  it('is left to the caller only as an error that is not one of the system', () => {
    expect(() => read('a\0b')).toThrow(/null bytes/)
    writeFileSync(at('a'), '')
    truncateSync(at('a'), 2 ** 40)
    expect(() => read('a')).toThrow(RangeError)
  })

  it('is closed, whatever it was', () => {
    writeFileSync(at('a'), 'x')
    mkdirSync(at('folder'))
    for (const name of ['a', 'folder', 'none']) read(name)
    expect(openFilesBelow(folder)).toEqual([])
  })
})

it('lists a folder with the kinds of its entries, and none that cannot be read', () => {
  writeFileSync(at('a'), 'x')
  mkdirSync(at('b'))
  const entries = entriesNow(folder)?.map((entry) => [entry.name, entry.isFile(), entry.isDirectory()])
  expect(entries?.sort()).toEqual([
    ['a', true, false],
    ['b', false, true],
  ])
  for (const name of ['none', 'a']) expect(entriesNow(at(name)), name).toBeUndefined()
  expect(() => entriesNow('a\0b')).toThrow(/null bytes/)
})

it('tells the exact state of a file, and of none that is gone', () => {
  writeFileSync(at('a'), 'four')
  expect(statusNow(at('a'))).toMatchObject({ size: 4n })
  unlinkSync(at('a'))
  expect(statusNow(at('a'))).toBeUndefined()
})

describe('blocking calls', () => {
  /** Which of the waits let other work have a turn; each is asked for at a time, in milliseconds. */
  const turnsAt = async (...times: readonly number[]): Promise<boolean[]> => {
    let now = 0
    const takeTurns = createTurns(() => now)
    const turns: boolean[] = []
    for (const time of times) {
      now = time
      let hadTurn = false
      const other = setImmediate(() => {
        hadTurn = true
      })
      await takeTurns()
      turns.push(hadTurn)
      clearImmediate(other)
    }
    return turns
  }

  it('give other work a turn after each 4 ms, and cost none before', async () => {
    expect(await turnsAt(3.9, 4, 7.9, 8, 20, 21)).toEqual([false, true, false, true, true, false])
  })

  it('count the time of the process by default', async () => {
    const hadTurn = async (ms: number): Promise<boolean> => {
      let turn = false
      const takeTurns = createTurns()
      const until = process.uptime() + ms / 1000
      setImmediate(() => {
        turn = true
      })
      while (process.uptime() < until);
      await takeTurns()
      return turn
    }
    expect(await hadTurn(5)).toBe(true)
    // The machine may be busy, but not each time.
    const turns: boolean[] = []
    for (let round = 0; round < 10; round++) turns.push(await hadTurn(0))
    expect(turns).toContain(false)
  })
})
