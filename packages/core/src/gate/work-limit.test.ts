import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../test/support/cpu-time.ts'
import type { ReviewProposal } from '../proposal/review-proposal.ts'
import type { Transcript } from '../proposal/transcript.ts'
import { spend, WORK_LIMIT, withinLimit } from '../text/work-limit.ts'
import { evidenceGate, type TrustLevel } from './gates.ts'
import { readAhead } from './judge-evidence.ts'
import type { GateVerdict } from './review-gate.ts'

const say = (text: string, count = 1): Transcript =>
  Array.from({ length: count }, (_, index) => ({ id: `m${index + 1}`, role: 'user', origin: 'user', text }))
const adding = (content: string, quote = content.slice(0, 100)): ReviewProposal => ({
  target: 'user',
  op: { action: 'add', content },
  score: 0.9,
  rationale: '',
  evidence: [{ quote }],
})
const ask = async (proposal: ReviewProposal, transcript: Transcript, trust: TrustLevel = 'balanced'): Promise<GateVerdict> => {
  const verdict = await evidenceGate({ trust })(proposal, { transcript, entries: { memory: [], user: [] }, unattended: true })
  if (!verdict.ok) throw verdict.error
  return verdict.value
}

describe('a proposal that would take too long to judge', () => {
  const huge: readonly (readonly [string, ReviewProposal, Transcript])[] = [
    ['an entry of thousands of sentences against as many', adding('a! '.repeat(5_300)), say('a! '.repeat(8_000))],
    ['a clause of thousands of negations', adding('not '.repeat(4_000)), say('not '.repeat(5_000))],
    ['a run of marks without an end', adding('(,'.repeat(7_900)), say('(,'.repeat(12_000))],
    [
      'a replacement of thousands of words',
      { target: 'memory', op: { action: 'replace', oldText: 'x', content: 'the user likes tea! '.repeat(700) }, score: 0.9, rationale: '' },
      say('the user likes tea! '.repeat(1_000), 4),
    ],
  ]

  it.each(huge)('holds the process for a moment at most: %s', async (_, proposal, transcript) => {
    const startedAt = cpuMs()
    expect(await ask(proposal, transcript)).toEqual(await ask(proposal, transcript))
    expect(cpuMs() - startedAt).toBeLessThan(2_000)
  })

  it('says that a conversation is too long to be compared', async () => {
    const endless = say('a! '.repeat(150_000))
    expect(await ask(adding('Likes tea'), endless)).toMatchObject({ verdict: 'hold', reason: expect.stringContaining('too long') })
    expect(await ask(adding('Likes tea'), endless, 'strict')).toMatchObject({ verdict: 'reject' })
    expect(await readAhead([...say('I like tea.'), ...endless])).toBe(false)
  })

  it('spoils no other proposal on the same conversation', async () => {
    const transcript = [...say('I prefer metric units.'), ...say('a b c d e f g h. '.repeat(200), 10)]
    await ask(adding('not '.repeat(4_000)), transcript)
    expect(await ask(adding('The user prefers metric units.', 'I prefer metric units'), transcript)).toMatchObject({ verdict: 'approve' })
  })
})

describe('a conversation as long as a day of work', () => {
  it('is still read, in steps that let others run', async () => {
    const sentence = 'The report lists what each branch of the project still needs before the release on Friday. '
    const transcript: Transcript = [
      ...say('I prefer metric units.'),
      ...say(sentence.repeat(200), 4),
      ...Array.from({ length: 12 }, (_, index) => ({ id: `t${index}`, role: 'tool', origin: 'tool', text: sentence.repeat(200) }) as const),
    ]
    let turns = 0
    let isDone = false
    const count = (): void => {
      turns++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    expect(await readAhead(transcript)).toBe(true)
    isDone = true
    expect(turns).toBeGreaterThan(transcript.length)
    expect(await ask(adding('The user prefers metric units.', 'I prefer metric units'), transcript)).toMatchObject({ origin: 'tool' })
  })
})

describe('withinLimit', () => {
  it('gives a result within the limit, none beyond it, and lets other errors through', () => {
    expect(withinLimit({}, () => 7)).toEqual({ value: 7 })
    expect(withinLimit({}, () => spend(WORK_LIMIT + 1))).toBeUndefined()
    expect(() =>
      withinLimit({}, () => {
        throw new RangeError('no')
      }),
    ).toThrow(RangeError)
    expect(() => spend(10 * WORK_LIMIT)).not.toThrow()
  })
})
