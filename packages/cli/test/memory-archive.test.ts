import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHermes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { describe, expect, it } from 'vitest'
import { runHermes, runJson, temporaryHome, writeHome } from './run-hermes.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 4, 23, 12)

const memory = (home: string, args: readonly string[], now = NOW) =>
  runHermes(['memory', ...args, '--home', home], { now, env: { COLUMNS: '100' } })

const grown = async (): Promise<string> => {
  const home = temporaryHome()
  await memory(home, ['add', 'The repo builds with pnpm 9'], NOW - 40 * DAY)
  await memory(home, ['add', '-t', 'user', 'Lives in Lisbon'], NOW - 30 * DAY)
  await memory(home, ['add', 'The repo builds with pnpm 9'], NOW - 10 * DAY)
  await memory(home, ['replace', '-t', 'user', 'Lisbon', 'Lives in Oslo'], NOW - 5 * DAY)
  return home
}

describe('hermes memory show --long', () => {
  it('tells since when each entry is there and when it was last said', async () => {
    const home = await grown()
    writeHome(home, { 'memories/USER.md': 'Lives in Oslo\n§\nBy hand' })
    const { stdout } = await memory(home, ['show', '--long'])
    expect(stdout).toMatch(/The repo builds with pnpm 9\n +first seen 1mo ago, confirmed 10d ago\n/)
    expect(stdout).toMatch(/external +By hand\n +no dates recorded\n/)
    expect((await memory(home, ['show'])).stdout).not.toContain('first seen')
    const { told } = await runJson(['memory', 'show', 'memory', '--home', home], { now: NOW })
    expect(told.value).toMatchObject({ stores: [{ entries: [{ firstSeenAt: NOW - 40 * DAY, lastConfirmedAt: NOW - 10 * DAY }] }] })
  })
})

describe('hermes memory archived and restore', () => {
  it('lists what was taken out and brings it back by the beginning of its id', async () => {
    const home = await grown()
    const listed = await memory(home, ['archived'])
    expect(listed.stdout).toMatch(/^user-[0-9a-f]{6} +5d ago +user +Lives in Lisbon +now: Lives in Oslo\n/m)
    const [id = ''] = /user-[0-9a-f]{6}/.exec(listed.stdout) ?? []
    expect((await memory(home, ['restore', id])).stdout).toContain('USER.md: added 1 entry')
    expect((await memory(home, ['show', 'user'])).stdout).toMatch(/user +Lives in Lisbon\n/)
    expect((await memory(home, ['archived'])).stdout).toBe('The archive of memory is empty.\n')
  })

  it('says what to do about an id that nothing has', async () => {
    const { code, told } = await runJson(['memory', 'restore', 'user-123456', '--home', await grown()], { now: NOW })
    expect([code, told.ok]).toEqual([1, false])
    expect(told.error).toMatchObject({ code: 'not_found', message: expect.stringContaining("'hermes memory archived' lists the ids") })
  })
})

describe('hermes memory why', () => {
  it('says of an archived entry, as of a live one, what its origin means', async () => {
    const home = temporaryHome()
    const storage = fileSystemBackend(home)
    const { memory: entries } = createHermes({ storage, clock: () => NOW })
    await entries.add('user', 'On the trial plan')
    await entries.replace('user', 'trial', 'On the paid plan')
    await storage.close()
    const { stdout } = await memory(home, ['why', 'plan'])
    expect(stdout.match(/origin +host: written by the host's own code\n/g)).toHaveLength(2)
  })

  it('tells whose an entry is and since when, also of one that is gone', async () => {
    const home = await grown()
    const { stdout } = await memory(home, ['why', 'lives', 'in'])
    expect(stdout).toMatch(/In USER\.md\n +entry +Lives in Oslo\n +origin +user\n/)
    expect(stdout).toMatch(/Archived from USER\.md\n +entry +Lives in Lisbon\n/)
    expect(stdout).toMatch(/undo +hermes memory restore user-[0-9a-f]{6}\n/)
    expect(stdout).toMatch(/applied .+\n +what +add to USER\.md\n +text +Lives in Lisbon\n +by +person\n/)
    expect(stdout).toMatch(
      / +what +replace in USER\.md\n +text +- Lives in Lisbon\n +\+ Lives in Oslo\n +before +Lives in Lisbon\n +by +person\n/,
    )
  })

  it('tells every decision of the journal about it', async () => {
    const home = await grown()
    const record = {
      id: 'aaaaaaaa-1',
      at: NOW - 11 * DAY,
      actor: 'review',
      kind: 'applied',
      reason: 'The user said it.',
      target: 'memory',
      op: { action: 'add', content: 'The repo builds with pnpm 9' },
      evidence: [{ messageId: 'm1', quote: 'we build with pnpm 9' }],
    }
    writeHome(home, { 'journal/2026-05-12.jsonl': `${JSON.stringify(record)}\n` })
    const { told } = await runJson(['memory', 'why', 'pnpm', '--home', home], { now: NOW })
    expect(told.value).toMatchObject({
      entries: [{ entry: 'The repo builds with pnpm 9' }],
      archived: [],
      records: [{ actor: 'person' }, { id: 'aaaaaaaa-1' }, { actor: 'person' }],
    })
    expect((await memory(home, ['why', 'pnpm'])).stdout).toMatch(
      /applied +11d ago +aaaaaaaa\n +what +add to MEMORY\.md\n +text +The repo builds with pnpm 9\n +by +review\n/,
    )
  })

  it('shows at most ten of each, and says what it left out', async () => {
    const home = temporaryHome()
    writeHome(home, { 'memories/MEMORY.md': Array.from({ length: 14 }, (_, at) => `Fact ${at} of the user`).join('\n§\n') })
    const record = (at: number) => ({
      at,
      actor: 'agent',
      kind: 'rejected',
      reason: 'Too vague.',
      target: 'memory',
      op: { action: 'add', content: `User fact ${at}` },
    })
    const lines = Array.from({ length: 30 }, (_, at) => JSON.stringify({ id: `r${at}`, ...record(NOW - (30 - at) * 1_000) }))
    writeHome(home, { 'journal/2026-05-23.jsonl': `${lines.join('\n')}\n` })
    const { stdout } = await memory(home, ['why', 'user'])
    expect([stdout.match(/In MEMORY\.md/g)?.length, stdout.match(/^rejected/gm)?.length]).toEqual([10, 10])
    expect(stdout).toContain('User fact ')
    expect(stdout).toMatch(/Not shown: 4 more entries, older records of the journal\. --limit shows more/)
    expect((await memory(home, ['why', 'user', '--limit', '50'])).stdout).not.toContain('Not shown')
    expect((await runJson(['memory', 'why', 'user', '--home', home])).told.value).toMatchObject({ hasOlder: true })
  })

  it('says so if the journal knows nothing of an entry', async () => {
    const home = temporaryHome()
    writeHome(home, { 'memories/MEMORY.md': 'By hand' })
    expect((await memory(home, ['why', 'by hand'])).stdout).toContain('The journal has no record of it: the file was edited by hand')
  })

  it('says where to look when nothing speaks of it', async () => {
    expect(await memory(await grown(), ['why', 'Bergen'])).toMatchObject({ code: 1, stderr: expect.stringContaining('hermes memory show') })
  })
})

/** Two entries of 27 code points; with the delimiter 57 of 60. */
const filled = async (): Promise<string> => {
  const home = temporaryHome()
  writeHome(home, { 'config.yaml': 'memory:\n  memory_char_limit: 60\n' })
  await memory(home, ['add', 'The repo builds with pnpm 9'], NOW - 3 * DAY)
  await memory(home, ['add', 'The tests run with vitest 5'], NOW - 2 * DAY)
  return home
}

const read = (home: string): string => readFileSync(join(home, 'memories/MEMORY.md'), 'utf8')

describe('hermes memory add, if memory is full', () => {
  it('says what went to the archive, and how it comes back', async () => {
    const home = await filled()
    const { stdout } = await memory(home, ['add', 'The linter is called biome'])
    expect(stdout).toMatch(
      /1 older entry was moved to the archive to make room\.\n {2}- The repo builds with pnpm 9\n {4}Undo: hermes memory restore memory-[0-9a-f]{6}\n/,
    )
    const [id = ''] = /memory-[0-9a-f]{6}/.exec(stdout) ?? []
    expect((await memory(home, ['archived'])).stdout).toContain('MEMORY.md was full')
    expect((await memory(home, ['restore', id], NOW + 1)).stdout).toMatch(/to make room\.\n {2}- The tests run with vitest 5\n/)
    expect(read(home)).toBe('The linter is called biome\n§\nThe repo builds with pnpm 9')
    const { told } = await runJson(['memory', 'add', 'New words', '--home', home], { now: NOW + 2 })
    expect(told.value).toMatchObject({ evicted: [{ text: 'The linter is called biome', origin: 'user', id: expect.any(String) }] })
  })

  it('is in the journal with what made room', async () => {
    const home = await filled()
    await memory(home, ['add', 'The linter is called biome'])
    const { told } = await runJson(['journal', 'list', '--home', home], { now: NOW })
    const { records } = told.value as { readonly records: readonly { readonly id: string }[] }
    const shown = await runHermes(['journal', 'show', records.at(-1)?.id ?? '', '--home', home], { now: NOW, env: { COLUMNS: '100' } })
    expect(shown.stdout).toMatch(/made room +The repo builds with pnpm 9\n/)
    expect((await memory(home, ['why', 'pnpm'])).stdout).toMatch(/made room +The repo builds with pnpm 9\n/)
  })
})

describe('hermes memory pin', () => {
  it('keeps an entry when memory is full, shows it, and journals it', async () => {
    const home = await filled()
    expect(await memory(home, ['pin', 'pnpm'])).toMatchObject({ code: 0, stdout: expect.stringContaining('The repo builds with pnpm 9') })
    expect((await memory(home, ['pin', 'pnpm'])).stdout).toContain('It was pinned already.')
    await memory(home, ['add', 'The linter is called biome'])
    expect(read(home)).toBe('The repo builds with pnpm 9\n§\nThe linter is called biome')
    expect((await memory(home, ['show'])).stdout).toMatch(/The repo builds with pnpm 9\n +pinned\n/)
    expect((await runJson(['memory', 'show', '--home', home])).told.value).toMatchObject({
      stores: [{ entries: [{ pinned: true }, expect.not.objectContaining({ pinned: true })] }, {}],
    })
    expect((await runHermes(['journal', 'list', '--home', home], { now: NOW, env: { COLUMNS: '120' } })).stdout).toMatch(
      /pin in MEMORY\.md: The repo builds with pnpm 9/,
    )
    const why = (await memory(home, ['why', 'pnpm'])).stdout
    expect(why).toMatch(/pinned +yes: only a person can change it\n/)
    expect(why).toMatch(/what +pin in MEMORY\.md/)
  })

  it('is handed on by a replace, and taken off by unpin', async () => {
    const home = await filled()
    await memory(home, ['pin', 'pnpm'])
    await memory(home, ['replace', 'pnpm 9', 'The repo builds with pnpm 12'])
    expect((await memory(home, ['show'])).stdout).toMatch(/pnpm 12\n +pinned\n/)
    expect((await memory(home, ['unpin', 'pnpm'])).stdout).toContain('No longer pinned.')
    expect((await memory(home, ['unpin', 'pnpm'])).stdout).toContain('It was not pinned.')
    expect((await memory(home, ['show'])).stdout).not.toContain('pinned')
  })

  it('says what it cannot find', async () => {
    const home = await filled()
    expect(await memory(home, ['pin', 'The'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("2 entries contain 'The': memory:1, memory:2."),
    })
    expect(await memory(home, ['pin', 'yarn'])).toMatchObject({ code: 1, stderr: expect.stringContaining("'yarn'") })
    expect(await memory(home, ['pin'])).toMatchObject({ code: 2 })
  })
})
