/** Bounds on learning: the scenarios of `hermes eval`, played with a scripted reviewer. */
import { describe, expect, it } from 'vitest'
import { checkScenarios } from '../benchmarks/learning/check-scenarios.ts'
import { measure } from '../benchmarks/learning/measure.ts'
import { readRequest } from '../benchmarks/learning/read-request.ts'
import { compareWithTargets } from '../benchmarks/learning/report.ts'
import { proposeFor } from '../benchmarks/learning/scripted-reviewer.ts'
import { SCENARIOS } from '../packages/cli/src/commands/eval/scenario.ts'

type Request = Parameters<typeof readRequest>[0]

/** A request with these entries in `user`, `usedChars` characters in that store, and these messages. */
const request = (entries: readonly string[], said: readonly string[], usedChars = 100): Request => ({
  purpose: 'review',
  mode: 'digest',
  system: '',
  messages: [
    {
      role: 'user',
      content: `<remembered>\n"memory": 0 of 2200 characters used.\n(empty)\n\n"user": ${usedChars} of 1000 characters used.\n${entries.map((entry) => `- ${entry}`).join('\n')}\n</remembered>\n<conversation>\n${said.map((text, index) => `[m${index + 1} | user | origin: user] ${text}`).join('\n')}\n</conversation>`,
    },
  ],
  schema: {},
  maxOutputTokens: 100,
  signal: new AbortController().signal,
})

const opsFor = (...parts: Parameters<typeof request>) => proposeFor(readRequest(request(...parts))).map(({ op }) => op)

describe('the scripted reviewer', () => {
  it('adds what is said and not yet remembered, and of several statements the last', () => {
    expect(opsFor([], ['I live in Lisbon.', 'Thanks.', 'I sing bass.'])).toEqual([
      { action: 'add', content: 'Lives in Lisbon' },
      { action: 'add', content: 'Sings bass' },
    ])
    expect(opsFor([], ['I live in Lisbon.', 'I live in Setúbal.'])).toEqual([{ action: 'add', content: 'Lives in Setúbal' }])
    expect(opsFor(['Sings bass'], ['I sing bass.'])).toEqual([])
  })

  it('replaces what was corrected and removes what was taken back', () => {
    expect(opsFor(['Lives in Lisbon'], ['A correction: I do not live in Lisbon, I live in Setúbal.'])).toEqual([
      { action: 'replace', oldText: 'Lives in Lisbon', content: 'Lives in Setúbal' },
    ])
    expect(opsFor(['Wants a reminder to drink water at the end of each answer'], ['Enough water: stop those reminders for good.'])).toEqual(
      [{ action: 'remove', oldText: 'Wants a reminder to drink water at the end of each answer' }],
    )
  })

  it('merges the entries of one topic if the store is nearly full, and changes one statement of such an entry', () => {
    const [first, second] = ['Garden: in bed 21 grows quince, sown in week 9', 'Garden: in bed 22 grows medlar, sown in week 10']
    const merged = `${first}; in bed 22 grows medlar, sown in week 10`
    expect(opsFor([first, second], ['Thanks.'], 900)).toEqual([
      { action: 'replace', oldText: first, content: merged },
      { action: 'remove', oldText: second },
    ])
    expect(opsFor([merged], ['Now in bed 77 of my garden grows quince, sown in week 9 of the year.'])).toEqual([
      {
        action: 'replace',
        oldText: merged,
        content: 'Garden: in bed 22 grows medlar, sown in week 10; in bed 77 grows quince, sown in week 9',
      },
    ])
  })

  it('knows nothing that the request does not show', () => {
    expect(opsFor([], ['Good morning!'])).toEqual([])
    expect(opsFor([], ['I live in Lisb […]'])).toEqual([])
  })
})

describe('learning', () => {
  it('is measured on scenarios whose every fact is said in them', () => {
    expect(checkScenarios(SCENARIOS)).toEqual([])
  })

  it('keeps what it promises in figures', { timeout: 120_000 }, async () => {
    const findings = compareWithTargets(await measure(SCENARIOS))
    expect(findings.filter(({ isMet }) => !isMet)).toEqual([])
  })
})
