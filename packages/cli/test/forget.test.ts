import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runHermes, runJson, skillText, temporaryHome, writeHome } from './run-hermes.ts'

const filled = async () => {
  const home = temporaryHome()
  await runHermes(['memory', 'add', 'Lives in Lisbon', '--home', home])
  await runHermes(['memory', 'add', 'Uses pnpm 12', '--home', home])
  await runHermes(['memory', 'remove', 'Lisbon', '--home', home])
  await runHermes(['memory', 'add', '-t', 'user', 'Moves to Lisbon', '--home', home])
  return home
}

const memoryOf = (home: string): string => readFileSync(join(home, 'memories/MEMORY.md'), 'utf8')

describe('hermes forget', () => {
  it('erases a text everywhere, and says what went', async () => {
    const home = await filled()
    const { code, stdout, stderr } = await runHermes(['forget', 'lisbon', '--yes', '--home', home])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/Erased permanently:\n {2}memory entries +1\n {2}archived entries +1\n {2}journal records +3\n$/)
    for (const args of [
      ['memory', 'archived'],
      ['journal', 'list'],
      ['memory', 'show'],
    ])
      expect((await runHermes([...args, '--home', home])).stdout).not.toContain('Lisbon')
    expect((await runHermes(['journal', 'list', '--home', home])).stdout).toContain('erase something permanently')
    expect(memoryOf(home)).toBe('Uses pnpm 12')
    expect(await runHermes(['forget', 'lisbon', '--home', home])).toMatchObject({ code: 0, stdout: 'Nothing in this home contains it.\n' })
  })

  it('shows what would go and asks first, and changes nothing without a yes', async () => {
    const home = await filled()
    const refused = await runHermes(['forget', 'lisbon', '--home', home])
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([1, '', expect.stringMatching(/This would be erased:.*Use --yes/s)])
    const { code, told } = await runJson(['forget', 'lisbon', '--home', home])
    expect([code, told]).toMatchObject([1, { ok: false, error: { code: 'confirmation' } }])
    expect((await runHermes(['memory', 'show', '--home', home])).stdout).toContain('Lisbon')
  })

  it('shows what would go with --dry-run, as data too', async () => {
    const home = await filled()
    const { told } = await runJson(['forget', 'lisbon', '--dry-run', '--home', home])
    expect(told).toMatchObject({ ok: true, value: { dryRun: true, erased: { memoryEntries: 1, archivedEntries: 1 }, remaining: [] } })
    expect(readFileSync(join(home, 'memories/USER.md'), 'utf8')).toBe('Moves to Lisbon')
  })

  it('erases one entry, and names the candidates if several hold the words', async () => {
    const home = await filled()
    await runHermes(['memory', 'add', 'Uses pnpm 9 at work', '--home', home])
    const { code, told } = await runJson(['forget', '--entry', 'pnpm', '--yes', '--home', home])
    expect([code, told]).toMatchObject([
      1,
      { error: { code: 'ambiguous', details: { candidates: ['Uses pnpm 12', 'Uses pnpm 9 at work'] } } },
    ])
    expect(await runHermes(['forget', '--entry', 'pnpm 9', '--yes', '--home', home])).toMatchObject({ code: 0 })
    expect(memoryOf(home)).toBe('Uses pnpm 12')
  })

  it('erases a session', async () => {
    const home = temporaryHome()
    const record = {
      version: 1,
      id: 'chat-1',
      createdAt: 1,
      updatedAt: 1,
      block: '',
      userTurns: 1,
      turnsSinceReview: 1,
      iterationsSinceReview: 0,
      turnOpen: false,
    }
    writeHome(home, { 'sessions/chat-1.json': JSON.stringify(record) })
    expect(await runHermes(['forget', '--session', 'chat-1', '-y', '--home', home])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/session records +1/),
    })
    expect(existsSync(join(home, 'sessions/chat-1.json'))).toBe(false)
  })

  it('fails with what remains, and why', async () => {
    const home = await filled()
    writeHome(home, { 'skills/move/SKILL.md': skillText('move', 'How to get to Lisbon.') })
    const { code, told } = await runJson(['forget', 'lisbon', '--yes', '--home', home])
    expect([code, told]).toMatchObject([
      1,
      { ok: false, value: { erased: { memoryEntries: 1 }, remaining: [{ path: 'skills/move/SKILL.md' }] }, error: { code: 'incomplete' } },
    ])
    const { stdout, stderr } = await runHermes(['forget', 'lisbon', '--yes', '--home', home])
    expect(stdout).toMatch(
      /^There is nothing to erase\.\nRemains in 1 document:\n {2}skills\/move\/SKILL\.md {2}It belongs to a skill in use/,
    )
    expect(stderr).toContain('in 1 document of this home')
  })

  it('takes the text from the input', async () => {
    const home = await filled()
    expect(await runHermes(['forget', '--stdin', '--yes', '--home', home], { input: 'Moves to Lisbon\n' })).toMatchObject({ code: 0 })
    expect((await runHermes(['memory', 'show', 'user', '--home', home])).stdout).not.toContain('Lisbon')
  })

  it.each([
    [[]],
    [['lisbon', '--entry', 'lisbon']],
    [['--entry', 'a', '--session', 'b']],
    [['lisbon', '--stdin']],
    [['lisbon', '--nonsense']],
  ])('is wrong usage with %j', async (args) => {
    const { code, stdout, stderr } = await runHermes(['forget', ...args, '--home', temporaryHome()])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).not.toBe('')
  })

  it('refuses a text that is part of nearly everything', async () => {
    expect(await runHermes(['forget', 'ab', '--yes', '--home', await filled()])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('at least 3'),
    })
  })

  it('is in the help, and has its own', async () => {
    expect((await runHermes(['--help'])).stdout).toMatch(/^ {2}forget .*erase/m)
    const { stdout } = await runHermes(['forget', '--help'])
    expect(stdout).toMatch(/^hermes forget \[text\.\.\]\n/)
    expect(stdout).toContain('--dry-run')
  })
})
