import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runHermes, runJson, temporaryHome, writeHome } from './run-hermes.ts'

const NOW = Date.UTC(2026, 4, 23, 12)
const DAY = 86_400_000

const memory = (home: string, args: readonly string[], now = NOW) =>
  runHermes(['memory', ...args, '--home', home], { now, env: { COLUMNS: '100' } })

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
