/** Processes that add to one full memory concurrently: every acknowledged fact is in the store or in the archive. */
import { describe, expect, it } from 'vitest'
import { bundledProgram } from '../../../../scripts/support/bundled-program.ts'
import { MemoryStore } from '../../src/memory/memory-store.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { startChild } from '../storage/support/child.ts'
import { temporaryFolder } from '../storage/support/temporary-home.ts'
import { unwrap } from '../support/skill-library.ts'

const script = bundledProgram(new URL('../support/memory-process.ts', import.meta.url))
const LIMIT = 400
const FACTS = 25

const start = (home: string, writer: string, facts = FACTS) =>
  startChild(process.execPath, [script, JSON.stringify({ home, writer, facts, limit: LIMIT })])

const keptIn = async (home: string) => {
  const store = new MemoryStore({ storage: fileSystemBackend(home), memoryCharLimit: LIMIT })
  const standing = unwrap(await store.current('memory'))
  return { standing, kept: new Set([...standing, ...unwrap(await store.archived('memory')).map(({ text }) => text)]) }
}

describe('two processes on one full memory', () => {
  it(`both write ${FACTS} facts, and none is lost`, { timeout: 60_000 }, async () => {
    const home = temporaryFolder()
    const pair = [start(home, 'first'), start(home, 'second')]
    for (const child of pair) expect(await child.line()).toBe('ready')
    for (const child of pair) child.say('go')
    const said = await Promise.all(
      pair.map(async (child) => {
        const lines: string[] = []
        for (let line = await child.line(); line !== 'done'; line = await child.line()) lines.push(line)
        expect(await child.ended).toBe(0)
        return lines
      }),
    )
    const safe = said.flat().map((line) => line.replace(/^safe /, ''))
    expect(safe).toHaveLength(2 * FACTS)
    const { standing, kept } = await keptIn(home)
    expect(safe.filter((fact) => !kept.has(fact))).toEqual([])
    expect(standing.join('\n§\n').length).toBeLessThanOrEqual(LIMIT)
  })

  it('lose nothing when they are killed', { timeout: 60_000 }, async () => {
    const home = temporaryFolder()
    for (const [round, lines] of [9, 14].entries()) {
      const pair = [start(home, `first of round ${round}`, 1_000), start(home, `second of round ${round}`, 1_000)]
      for (const child of pair) expect(await child.line()).toBe('ready')
      for (const child of pair) child.say('go')
      const said = await Promise.all(
        pair.map(async (child) => {
          const seen: string[] = []
          while (seen.length < lines) seen.push(await child.line())
          child.process.kill('SIGKILL')
          expect(await child.ended).toBe('SIGKILL')
          return seen
        }),
      )
      const { kept } = await keptIn(home)
      const safe = said.flat().map((line) => line.replace(/^safe /, ''))
      expect(safe.filter((fact) => !kept.has(fact))).toEqual([])
    }
  })
})

it('eight stores of one process all write to one full memory, none of them shut out', { timeout: 60_000 }, async () => {
  const home = temporaryFolder()
  const storages = Array.from({ length: 8 }, () => fileSystemBackend(home))
  const stores = storages.map((storage) => new MemoryStore({ storage, memoryCharLimit: LIMIT, whenFull: 'evict' }))
  const names = stores.flatMap((_, writer) => Array.from({ length: 8 }, (_, fact) => `Fact ${fact} of writer ${writer}.`))
  await Promise.all(
    stores.map(async (store, writer) => {
      for (const content of names.slice(writer * 8, writer * 8 + 8))
        unwrap(await store.apply('memory', { action: 'add', content }, { origin: 'user' }))
    }),
  )
  const { standing, kept } = await keptIn(home)
  expect(names.filter((name) => !kept.has(name))).toEqual([])
  expect(standing.join('\n§\n').length).toBeLessThanOrEqual(LIMIT)
  for (const storage of storages) await storage.close()
})

it('forty sessions that write at once into a memory of a few long entries are not shut out either', { timeout: 60_000 }, async () => {
  const home = temporaryFolder()
  const storage = fileSystemBackend(home)
  const open = () => new MemoryStore({ storage, memoryCharLimit: LIMIT, whenFull: 'evict' })
  const note = (name: string) => `${name} `.padEnd(40, '.')
  const old = Array.from({ length: 10 }, (_, index) => note(`Old ${index}`))
  for (const content of old) unwrap(await open().apply('memory', { action: 'add', content }, { origin: 'user' }))
  const names = Array.from({ length: 40 }, (_, index) => note(`New ${index}`))
  const written = await Promise.all(names.map((content) => open().apply('memory', { action: 'add', content }, { origin: 'user' })))
  for (const each of written) unwrap(each)
  const { kept } = await keptIn(home)
  expect([...old, ...names].filter((name) => !kept.has(name))).toEqual([])
  await storage.close()
})
