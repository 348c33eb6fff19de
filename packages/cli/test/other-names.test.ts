import { describe, expect, it } from 'vitest'
import { runHermes, temporaryHome } from './run-hermes.ts'

describe('other names of commands', () => {
  it.each([
    ['memory ls user', 'memory show user'],
    ['--home x memory list', 'memory show --home x'],
    ['memory rm --help', 'memory remove --help'],
    ['skills ls', 'skills list'],
    ['log --limit 3', 'journal list --limit 3'],
    ['help log', 'journal list --help'],
    ['config show', 'config check'],
    ['memory why ls', 'memory why ls'],
  ])('mean the command: %j is %j', async (words, meant) => {
    expect(await runHermes(words.split(' '))).toEqual(await runHermes(meant.split(' ')))
  })

  it('are in the help, and texts are none of them', async () => {
    const home = temporaryHome()
    await runHermes(['memory', 'add', 'ls', '--home', home])
    expect((await runHermes(['memory', 'ls', '--home', home])).stdout).toContain('  ls\n')
    expect((await runHermes(['memory', '--help'])).stdout).toContain('Also: list, ls (show); rm (remove).')
  })
})
