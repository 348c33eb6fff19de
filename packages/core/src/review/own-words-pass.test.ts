import { describe, expect, it } from 'vitest'
import { stampTranscript } from '../proposal/stamp-transcript.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok } from '../shared/result.ts'
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

  it('leaves out own messages without text, and puts nothing in their place', () => {
    expect(ownOf(user('hi'), agent(' \n'), user(''), user('thanks')).map(({ id, text }) => [id, text])).toEqual([
      ['m1', 'hi'],
      ['m2', 'thanks'],
    ])
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

  it('leave alone what changes no entry, and tell an unknown entry from several', async () => {
    const of = (op: object, target = 'memory') => ({ target, op, rationale: '', score: 0.9 })
    const given = [
      of({ action: 'add', content: 'Repo' }),
      of({ action: 'patch', name: 'deploy', oldText: 'a', newText: 'b' }, 'skill'),
      { target: 'memory' },
      of({ action: 'replace', oldText: ' Lives in Oslo\n', content: 'Lives in Bergen' }),
      of({ action: 'remove', oldText: 'Lives' }),
      of({ action: 'remove', oldText: 'absent' }),
    ]
    const proposer = amongEntries(async () => ok(given), { memory: ['Lives in Oslo', 'Lives for tea'], user: [] })
    const proposed = await proposer('s')
    const items = (proposed.ok && itemsOf(proposed.value)) || []
    expect(items.slice(0, 3)).toEqual(given.slice(0, 3).map(ok))
    expect(items.slice(3)).toMatchObject([
      { value: { op: { action: 'replace', oldText: 'Lives in Oslo', content: 'Lives in Bergen' } } },
      { error: { reason: 'Several of the entries that this review was shown contain the old text.' } },
      { error: { reason: 'No entry that this review was shown contains the old text.' } },
    ])
    expect(await amongEntries(async () => err(new HermesError('model', 'down')), { memory: [], user: [] })('s')).toMatchObject({
      ok: false,
      error: { code: 'model' },
    })
  })
})
