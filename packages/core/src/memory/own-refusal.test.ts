import { describe, expect, it } from 'vitest'
import type { EntryOrigin } from './memory-op.ts'
import { nothingMatches, ownOf, severalMatch, withoutOutside } from './memory-refusal.ts'

const origins = new Map<string, EntryOrigin>([
  ['Likes tea', 'user'],
  ['Repo uses pnpm', 'assistant'],
  ['Written by hand', 'external'],
  ['Tea is paid at the portal', 'tool'],
])
const entries = [...origins.keys(), 'nobody knows this one']

it('own entries are those whose origin is known and not from outside', () => {
  expect(ownOf(entries, origins)).toEqual(['Likes tea', 'Repo uses pnpm', 'Written by hand'])
})

describe('a refusal', () => {
  it('lists own entries only', () => {
    const { details } = withoutOutside('memory', nothingMatches('coffee', entries, 2_200), origins)
    expect(details['currentEntries']).toEqual(['Likes tea', 'Repo uses pnpm', 'Written by hand'])
  })

  it('names own candidates only, and still how many there are', () => {
    const error = withoutOutside('memory', severalMatch('memory', 'ea', ['Likes tea', 'Tea is paid at the portal']), origins)
    expect(error).toMatchObject({ code: 'ambiguous', message: expect.stringContaining('matches 2 different entries') })
    expect(JSON.stringify([error.message, error.details])).toContain('Likes tea')
    expect(JSON.stringify([error.message, error.details])).not.toContain('portal')
    const none = withoutOutside('memory', severalMatch('memory', 'a', ['Tea is paid at the portal', 'nobody knows this one']), origins)
    expect(none.message).not.toContain('Candidates')
  })
})
