/** Several processes, some of them killed, on one index. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createHermes, ok } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { describe, expect, it } from 'vitest'
import { bundledProgram } from '../../../scripts/support/bundled-program.ts'
import { firstOf, IS_LONG_RUN } from '../../../scripts/support/rounds.ts'
import { recallProvider } from '../src/recall-provider.ts'
import { sqliteRecallIndex } from '../src/sqlite/sqlite-recall-index.ts'
import { find, manyTurns, openIndex, START, turn } from './support/open-index.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { topicVectors } from './support/topics.ts'

const NEVER = { signal: new AbortController().signal }

const start = (program: string, ...args: readonly string[]) => {
  const script = bundledProgram(new URL(`./support/${program}`, import.meta.url))
  const child = spawn(process.execPath, ['--no-warnings', script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  return { child, ended: once(child, 'close'), stored: () => printed.split('\n').length - 1 }
}

it('holds everything that was acknowledged before a kill, and is whole', async () => {
  const folder = temporaryFolder()
  let acknowledged = 0
  for (const round of firstOf(['r2', 'r0', 'r1', 'r3'])) {
    const writer = start('writer-process.ts', folder, round, '100000')
    await expect.poll(writer.stored, { timeout: 20_000 }).toBeGreaterThan(30)
    await setTimeout(Number(round.slice(1)) * 7)
    writer.child.kill('SIGKILL')
    await writer.ended
    acknowledged += writer.stored()
    const index = await openIndex(folder)
    const last = writer.stored() - 1
    expect(await find(index, `${round}${last}`)).toEqual([`${round}-${last}`])
    expect(await index.check()).toEqual([])
    const { turns } = await index.stats()
    expect(turns).toBeGreaterThanOrEqual(acknowledged)
    acknowledged = turns
    await index.close()
  }
})

it('goes on with the vectors of a process that was killed, without making those again that it stored', async () => {
  const folder = temporaryFolder()
  const turns = 400
  const before = await openIndex(folder)
  await before.add(manyTurns(turns))
  await before.close()
  const filler = start('filler-process.ts', folder)
  await expect.poll(filler.stored, { timeout: 20_000 }).toBeGreaterThan(10)
  filler.child.kill('SIGKILL')
  await filler.ended
  const index = await openIndex(folder)
  const { vectors: stored } = await index.stats()
  expect(stored).toBeGreaterThan(0)
  expect(stored).toBeLessThan(turns)
  let made = 0
  const vectors = async (texts: readonly string[]) => {
    made += texts.length
    return topicVectors(texts)
  }
  const provider = recallProvider({ index: sqliteRecallIndex({ folder }), embed: { model: 'topics', vectors } })
  const report = (problem: Error) => {
    throw problem
  }
  const home = await provider.initialize({ folder: '', clock: () => START, archived: async () => ok([]), report }, NEVER)
  await expect.poll(() => index.vectors.missing('topics', 9), { timeout: 20_000 }).toEqual([])
  expect(made).toBe(turns - stored)
  expect((await index.stats()).vectors).toBe(turns)
  expect(await index.check()).toEqual([])
  await home.shutdown?.(NEVER)
  await index.close()
})

if (IS_LONG_RUN)
  it('takes the turns of four processes at once, also the same ones twice', async () => {
    const folder = temporaryFolder()
    const names = ['one', 'two', 'three', 'three']
    const writers = names.map((name) => start('writer-process.ts', folder, name, '80'))
    const ends = await Promise.all(writers.map(({ ended }) => ended))
    expect(ends).toEqual(names.map(() => [0, null]))
    const index = await openIndex(folder)
    expect((await index.stats()).turns).toBe(240)
    expect(await find(index, 'one79', 'two0', 'three40')).toEqual(['one-79', 'three-40', 'two-0'])
    expect(await index.check()).toEqual([])
    await index.close()
  })

it('finds nothing of what another process erased, and can be used on', async () => {
  const folder = temporaryFolder()
  const index = await openIndex(folder)
  await index.add(manyTurns(200))
  const eraser = start('eraser-process.ts', folder)
  let searches = 0
  let isErased = false
  void eraser.ended.then(() => {
    isErased = true
  })
  while (!isErased) {
    const isThere = existsSync(join(folder, 'recall.db'))
    const found = await find(index, 'word7')
    if (!isThere) expect(found).toEqual([])
    searches++
    await setTimeout(1)
  }
  expect(searches).toBeGreaterThan(1)
  expect(await find(index, 'word7')).toEqual([])
  expect((await index.stats()).turns).toBe(0)
  await index.add([turn('new', 'after the erasure')])
  expect(await find(index, 'erasur', 'word7')).toEqual(['new'])
  await index.close()
})

const holding = (folder: string, text: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
    .filter((file) => readFileSync(file).includes(text))

describe('forget', () => {
  it('reaches archived entries that the provider is just reading', async () => {
    const folder = temporaryFolder()
    const open = () =>
      createHermes({
        storage: fileSystemBackend(join(folder, 'home')),
        memory: { provider: recallProvider({ index: sqliteRecallIndex({ folder: join(folder, 'index') }) }) },
      })
    const first = open()
    const memory = first.memoryStore()
    await memory.load()
    expect((await memory.apply('memory', { action: 'add', content: 'The cat is called Zanzibar.' })).ok).toBe(true)
    expect((await memory.apply('memory', { action: 'remove', oldText: 'Zanzibar' })).ok).toBe(true)
    await first.close()
    expect(holding(folder, 'Zanzibar').join()).toContain('memories')
    const second = open()
    const receipt = await second.forget('Zanzibar')
    expect(receipt.ok && receipt.value.remaining).toEqual([])
    await second.close()
    expect(holding(folder, 'Zanzibar')).toEqual([])
  })
})

const asideIn = (folder: string): readonly string[] => readdirSync(folder).filter((name) => /^recall\.(?:damaged|salvaged)-/.test(name))

/** As a process leaves it that was killed when it had set a damaged file aside. */
const setAside = async (): Promise<string> => {
  const folder = temporaryFolder()
  const index = await openIndex(folder)
  await index.add(manyTurns(1_000))
  await index.close()
  renameSync(join(folder, 'recall.db'), join(folder, 'recall.damaged-1.db'))
  return folder
}

describe('a damaged index that is being copied', () => {
  it('does not bring back a text that is forgotten meanwhile', async () => {
    const folder = await setAside()
    const index = await openIndex(folder)
    await index.add([turn('after', 'said after the damage')])
    await index.forget({ kind: 'text', text: 'word990', matches: (stored) => /word990\b/.test(stored), dryRun: false })
    // All others, and the one that was said after the damage.
    await expect.poll(async () => (await index.stats()).turns).toBe(1_000)
    await expect.poll(() => asideIn(folder)).toEqual([])
    expect(await find(index, 'word990')).toEqual([])
    expect((await index.stats()).turns).toBe(1_000)
    await index.close()
    expect(holding(folder, 'of word990 and')).toEqual([])
  })

  it('does not bring back anything of a home that is erased meanwhile', async () => {
    const folder = await setAside()
    const index = await openIndex(folder)
    await index.add([turn('after', 'said after the damage')])
    await index.forget({ kind: 'all', dryRun: false })
    await setTimeout(1_000)
    await index.close()
    expect(holding(folder, 'spoke of word')).toEqual([])
  })
})
