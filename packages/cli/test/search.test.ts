import { join } from 'node:path'
import { systemClock } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { createJournal } from '@hermes/core/journal'
import { providerFolder } from '@hermes/core/provider'
import { recallProvider, sqliteRecallIndex } from '@hermes/recall'
import { describe, expect, it } from 'vitest'
import { runHermes, runJson, skillText, temporaryHome, writeHome } from './run-hermes.ts'

const NOW = Date.UTC(2026, 4, 23, 12)
const DAY = 86_400_000

const filledHome = async (): Promise<string> => {
  const home = temporaryHome()
  writeHome(home, {
    'skills/deploy/SKILL.md': skillText('deploy', 'How to deploy with pnpm to Málaga.'),
    'skills/.archive/old-build-20260512101500/SKILL.md': skillText('old-build', 'How to build with pnpm 8.'),
  })
  for (const args of [
    ['add', 'The repo builds with pnpm 12'],
    ['add', '-t', 'user', 'Uses pnpm 9 at work'],
    ['replace', '-t', 'user', 'pnpm 9', 'Uses yarn at work'],
  ])
    expect(await runHermes(['memory', ...args, '--home', home], { now: NOW - DAY })).toMatchObject({ code: 0 })
  const storage = fileSystemBackend(home)
  const journal = createJournal({ storage, clock: () => NOW - 40 * DAY, createId: () => 'reason01-0000' })
  await journal.append([{ actor: 'review', kind: 'rejected', reason: 'Nobody but a page said pnpm is slow.', target: 'memory' }])
  await storage.close()
  return home
}

interface Found {
  readonly places: readonly {
    readonly place: string
    readonly more: boolean
    readonly hits: readonly {
      readonly id: string
      readonly text: string
      readonly command: string
      readonly matches: readonly number[][]
    }[]
  }[]
}

const search = async (home: string, ...args: readonly string[]): Promise<Found> => {
  const { code, told } = await runJson(['search', ...args, '--home', home], { now: NOW })
  expect(code).toBe(0)
  return told.value as Found
}

describe('hermes search', () => {
  it('finds words in every place, and the command of each hit shows it', async () => {
    const home = await filledHome()
    const { places } = await search(home, 'PNPM')
    expect(places.map(({ place, hits }) => [place, hits.length])).toEqual([
      ['memory', 1],
      ['archive', 1],
      ['journal', 4],
      ['skills', 2],
    ])
    for (const { text, matches, command } of places.flatMap(({ hits }) => hits)) {
      for (const [start, end] of matches) expect(text.slice(start, end).toLowerCase()).toBe('pnpm')
      if (command.includes('restore')) continue
      const args = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
      expect(await runHermes([...args.slice(1), '--home', home])).toMatchObject({ code: 0 })
    }
    expect(places[2]?.hits.at(-1)).toMatchObject({ id: 'reason01', text: 'Nobody but a page said pnpm is slow.' })
    expect(places[3]?.hits.map(({ id }) => id)).toEqual(['deploy', '.archive/old-build-20260512101500'])
  })

  it('needs all words, in any order, and ignores accents', async () => {
    const home = await filledHome()
    expect((await search(home, 'malaga', 'deploy')).places.flatMap(({ hits }) => hits.map(({ id }) => id))).toEqual(['deploy'])
    const { code, stdout } = await runHermes(['search', 'malaga', 'yarn', '--home', home])
    expect([code, stdout]).toEqual([0, expect.stringContaining('Nothing contains all of these words')])
  })

  it('keeps to its limit and to one place, and says that there is more', async () => {
    const home = await filledHome()
    const { places } = await search(home, 'pnpm', '--in', 'journal', '--limit', '2')
    expect(places).toMatchObject([{ place: 'journal', more: true, hits: [{}, {}] }])
    const { stdout } = await runHermes(['search', 'pnpm', '--in', 'journal', '--limit', '2', '--home', home])
    expect(stdout).toMatch(/^Journal {2}2 of more\n/)
    expect(stdout).toContain('--limit')
  })

  it.each([120, 80, 50])('fits on %i columns, with the words marked', async (columns) => {
    const home = await filledHome()
    await runHermes(['memory', 'add', `${'word '.repeat(90)}pnpm ${'later '.repeat(90)}`, '--home', home])
    const { stdout } = await runHermes(['search', 'pnpm', '--home', home], { now: NOW, columns })
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(columns)
    expect(stdout).toContain('*pnpm*')
    expect(stdout).toContain('…')
    const { stdout: painted } = await runHermes(['search', 'pnpm', '--home', home], { now: NOW, columns, env: { FORCE_COLOR: '1' } })
    expect(painted).toContain('\u001b[33mpnpm\u001b[39m')
  })

  it('reads past a page of the journal', async () => {
    const home = temporaryHome()
    const storage = fileSystemBackend(home)
    let id = 0
    const journal = createJournal({ storage, clock: () => NOW, createId: () => `r${String(++id).padStart(9, '0')}` })
    const record = (reason: string) => ({ actor: 'review', kind: 'rejected', reason }) as const
    await journal.append([record('the needle'), ...Array.from({ length: 1_300 }, (_, index) => record(`hay ${index}`))])
    await storage.close()
    const { places } = await search(home, 'needle')
    expect(places.find(({ place }) => place === 'journal')?.hits).toMatchObject([{ id: 'r0000000' }])
  })

  it('searches past sessions if they are stored', async () => {
    const home = temporaryHome()
    expect((await runHermes(['search', 'kayak', '--home', home])).stdout).toContain('is not stored')
    const provider = recallProvider({ index: sqliteRecallIndex({ folder: join(home, 'recall') }) })
    const report = (problem: Error) => expect(problem).toBeUndefined()
    const recall = await provider.openRecall({ folder: await providerFolder(undefined), clock: systemClock, report })
    const said = { id: 't1', kind: 'turn', source: 'chat-1', at: NOW, automated: false } as const
    await recall.index.add([{ ...said, user: 'The blue kayak is in the boathouse.', answer: 'Noted.' }])
    await recall.index.close()
    const { places } = await search(home, 'kayak')
    expect(places.at(-1)).toMatchObject({ place: 'sessions', hits: [{ id: 'chat-1', at: NOW, text: expect.stringContaining('kayak') }] })
  })

  it('searches the home of the person who is named', async () => {
    const home = temporaryHome()
    for (const user of ['ada', 'bob']) await runHermes(['memory', 'add', `${user} likes tea`, '--home', home, '--user', user])
    const { places } = await search(home, 'tea', '--user', 'ada', '--in', 'memory')
    expect(places[0]?.hits.map(({ text }) => text)).toEqual(['ada likes tea'])
  })

  it('needs words', async () => {
    expect(await runHermes(['search', '--home', temporaryHome()])).toMatchObject({ code: 2, stdout: '' })
  })
})
