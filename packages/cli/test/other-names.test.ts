import { describe, expect, it } from 'vitest'
import { runHermes } from './run-hermes.ts'

describe('another name of a command', () => {
  it.each([
    ['memory ls', 'memory show'],
    ['memory rm 3', 'memory remove'],
    ['skills pin deploy', 'curator pin'],
    ['skills restore deploy', 'curator restore'],
    ['curator list-archived', 'skills list --state archived'],
    ['log --limit 3', 'journal list'],
    ['--home x config show', 'config check'],
  ])('is refused, with the one that there is: %j', async (words, meant) => {
    const { code, stdout, stderr } = await runHermes(words.split(' '))
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr.replace(/\s+/g, ' ')).toContain(`Use 'hermes ${meant}'.`)
  })
})
