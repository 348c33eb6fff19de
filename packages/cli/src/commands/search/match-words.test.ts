import { describe, expect, it } from 'vitest'
import { matchWords } from './match-words.ts'

const found = (query: string, text: string): readonly string[] | undefined =>
  matchWords(query)
    ?.match(text)
    ?.map(([start, end]) => text.slice(start, end))

describe('matchWords', () => {
  it('finds every word in any order, wherever it occurs', () => {
    expect(found('pnpm builds', 'The repo builds with pnpm 12, never with PNPM 9')).toEqual(['builds', 'pnpm', 'PNPM'])
    expect(found('pnpm yarn', 'builds with pnpm')).toBeUndefined()
  })

  it('ignores accents, width and case, and says where the original text is', () => {
    expect(found('cafe', 'Likes the Cafe\u0301 Zoë')).toEqual(['Cafe'])
    expect(found('CAFÉ zoe', 'Likes the café Zoë')).toEqual(['café', 'Zoë'])
    expect(found('strasse 12', 'Hauptstraße １２')).toEqual(['straße', '１２'])
    expect(found('한국', '한국어를 배운다')).toEqual(['한국'])
    expect(found('👍', 'a 👍🏽 b')).toEqual(['👍'])
  })

  it('joins overlapping words', () => {
    expect(found('data database', 'a database')).toEqual(['database'])
  })

  it('needs a word', () => {
    expect(matchWords('  ')).toBeUndefined()
  })
})
