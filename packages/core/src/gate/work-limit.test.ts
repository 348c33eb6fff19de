import { describe, expect, it } from 'vitest'
import type { ReviewProposal } from '../proposal/review-proposal.ts'
import type { Transcript } from '../proposal/transcript.ts'
import { evidenceGate, type TrustLevel } from './evidence-gate.ts'
import { readAhead } from './read-ahead.ts'
import type { GateVerdict } from './review-gate.ts'
import { spend, WORK_LIMIT, withinLimit } from './work-limit.ts'

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

  it.each(huge)('is never approved: %s', async (_, proposal, transcript) => {
    expect(await ask(proposal, transcript)).toMatchObject({ approved: false, held: true })
    const refused = await ask(proposal, transcript, 'strict')
    expect(refused.approved).toBe(false)
    expect(refused.held).toBeUndefined()
  })

  it('says that the texts are too long to be compared', async () => {
    const { reason } = await ask(adding('a! '.repeat(5_300)), say('a! '.repeat(8_000)))
    expect(reason).toContain('too long')
  })

  it('has the same verdict each time', async () => {
    const proposal = adding('I like tea! '.repeat(1_300))
    const transcript = say('I like tea! '.repeat(2_000))
    expect(await ask(proposal, transcript)).toEqual(await ask(proposal, transcript))
  })

  it('spoils no other proposal on the same conversation', async () => {
    const transcript = [...say('I prefer metric units.'), ...say('a b c d e f g h. '.repeat(200), 10)]
    await ask(adding('not '.repeat(4_000)), transcript)
    expect(await ask(adding('The user prefers metric units.', 'I prefer metric units'), transcript)).toMatchObject({ approved: true })
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
    expect(await ask(adding('The user prefers metric units.', 'I prefer metric units'), transcript)).toMatchObject({ approved: true })
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
