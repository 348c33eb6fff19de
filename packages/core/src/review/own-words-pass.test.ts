import { describe, expect, it } from 'vitest'
import { stampTranscript } from '../proposal/stamp-transcript.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { ok } from '../shared/result.ts'
import { amongEntries, holdsOwnWords, LEFT_OUT_TEXT, ownEntries, ownTranscript } from './own-words-pass.ts'
import { itemsOf } from './propose/review-proposer.ts'

const user = (text: string): TurnMessage => ({ role: 'user', text })
const agent = (text: string): TurnMessage => ({ role: 'assistant', text })
const tool = (text: string): TurnMessage => ({ role: 'tool', text, toolNames: ['web'] })
const ownOf = (...said: readonly TurnMessage[]) => ownTranscript(stampTranscript(said, new Set()))

describe('ownTranscript', () => {
  it('is the conversation itself if nothing is from outside', () => {
    const said = [user('hi'), agent('Hello.'), user('thanks')]
    expect(ownOf(...said)).toEqual(stampTranscript(said, new Set()))
  })

  it('puts one placeholder in the place of each run from outside, and numbers the messages after that', () => {
    const short = ownOf(user('read it'), tool('a'), agent('It says a.'), user('thanks'), agent('Welcome.'))
    expect(short.map(({ id, origin, text }) => [id, origin, text])).toEqual([
      ['m1', 'user', 'read it'],
      ['m2', 'tool', LEFT_OUT_TEXT],
      ['m3', 'user', 'thanks'],
      ['m4', 'tool', LEFT_OUT_TEXT],
    ])
    const long = ownOf(user('read it'), tool('b'), agent(''), tool('c'), agent('It says m1, m2.'), user('thanks'), agent('Bye.'), tool(''))
    expect(long).toEqual(short)
  })

  it('tells whether any own words are left', () => {
    expect(holdsOwnWords(ownOf(user('```\nx\n```'), agent('A letter.')))).toBe(false)
    expect(holdsOwnWords(ownOf(user('what is this?\n```\nx\n```')))).toBe(true)
  })
})

describe('the entries of a pass', () => {
  const entries = { memory: ['Repo uses pnpm', 'Docs say the repo uses npm'], user: ['Likes tea'] }
  const origins = { memory: new Map([['Docs say the repo uses npm', 'tool' as const]]), user: new Map() }

  it('are those that are not from outside, for the own words', () => {
    expect(ownEntries(entries, origins)).toEqual({ memory: ['Repo uses pnpm'], user: ['Likes tea'] })
  })

  it('are the only ones that a change can find, and it names them in full', async () => {
    const change = (oldText: string) => ({ target: 'memory', op: { action: 'remove', oldText }, rationale: '', score: 0.9, evidence: [] })
    const proposer = amongEntries(async () => ok(['repo uses', 'Repo', 'npm'].map(change)), ownEntries(entries, origins))
    const proposed = await proposer('s')
    const [hidden, own, foreign] = (proposed.ok && itemsOf(proposed.value)) || []
    expect(hidden).toMatchObject({ ok: false, error: { reason: expect.stringContaining('No entry') } })
    expect(own).toMatchObject({ value: { op: { oldText: 'Repo uses pnpm' } } })
    // "npm" also occurs in the hidden entry, which does not make it ambiguous.
    expect(foreign).toMatchObject({ value: { op: { oldText: 'Repo uses pnpm' } } })
  })
})
