/** Which temporary files belong to nobody any more. */
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../../../../test/storage/support/temporary-home.ts'
import { CURRENT_PROCESS } from './process-identity.ts'

const { pid, host } = CURRENT_PROCESS
/** More than any system gives. */
const DEAD = 2 ** 30
const HOUR_MS = 60 * 60 * 1000
const NOW = Date.UTC(2026, 10, 23)

let folder: string
/** A copy that has given no name yet. */
let copy: typeof import('./temporary-files.ts')

beforeEach(async () => {
  folder = temporaryFolder()
  const file = `./temporary-files.ts?${crypto.randomUUID()}`
  copy = await import(/* @vite-ignore */ file)
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
})

afterEach(() => {
  vi.useRealTimers()
})

it('names each temporary file differently, after its process', () => {
  const names = Array.from({ length: 40 }, copy.temporaryName)
  expect(new Set(names).size).toBe(40)
  for (const name of names) expect(name).toMatch(new RegExp(`^\\.hermes-tmp-${pid}-${host}-[0-9a-f]{12}-[0-9a-z]+$`))
  expect(new Set(names.map((name) => name.slice(0, name.lastIndexOf('-')))).size).toBe(1)
})

describe('a temporary file', () => {
  const isSwept = async (name: string, age: number): Promise<boolean> => {
    const file = join(folder, name)
    writeFileSync(file, '')
    utimesSync(file, (NOW - age) / 1000, (NOW - age) / 1000)
    await copy.sweepTemporaryFile(name, file)
    return !existsSync(file)
  }

  it.each([
    ['of a dead process', 0, true, `.hermes-tmp-${DEAD}-${host}-a-1`],
    ['of this process', 0, false, `.hermes-tmp-${pid}-${host}-a-1`],
    ['of this process, an hour old', HOUR_MS, false, `.hermes-tmp-${pid}-${host}-a-1`],
    ['older than that', HOUR_MS + 1, true, `.hermes-tmp-${pid}-${host}-a-1`],
    ['of a process of another host that may be running', 0, false, `.hermes-tmp-${DEAD}-elsewhere-a-1`],
    ['of another host, from long ago', 2 * HOUR_MS, true, `.hermes-tmp-${DEAD}-elsewhere-a-1`],
    ['of no process', 0, false, `.hermes-tmp-x${DEAD}-${host}-a-1`],
    ['of no process either', 0, false, `.hermes-tmp-${DEAD}x-${host}-a-1`],
    ['without a process', 0, false, `.hermes-tmp--${host}-a-1`],
    ['without anything', 0, false, '.hermes-tmp-'],
    ['that is none', 2 * HOUR_MS, false, `hermes-tmp-${DEAD}-${host}-a-1`],
    ['that is a document', 2 * HOUR_MS, false, 'MEMORY.md'],
  ])('%s, %i ms old: removed %s', async (_, age, swept, name) => {
    expect(await isSwept(name, age)).toBe(swept)
  })

  it('that is gone or cannot be removed is no fault; a wrong call is one', async () => {
    const name = `.hermes-tmp-${DEAD}-${host}-a-1`
    await copy.sweepTemporaryFile(name, join(folder, name))
    mkdirSync(join(folder, name))
    await copy.sweepTemporaryFile(name, join(folder, name))
    expect(readdirSync(folder)).toEqual([name])
    await expect(copy.sweepTemporaryFile(name, `${folder}/a\0b`)).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' })
  })
})
