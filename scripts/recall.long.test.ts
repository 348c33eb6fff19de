/** Bounds on recall: what `bench recall` measures, in small. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hermesSubject } from '../benchmarks/poisoning/hermes-subject.ts'
import { measure as measurePoisoning } from '../benchmarks/poisoning/measure.ts'
import { measureOwnWords, RECALL_CLASS } from '../benchmarks/poisoning/own-words-behind-recall.ts'
import { bareBm25 } from '../benchmarks/recall/bare-bm25.ts'
import { checkCorpus } from '../benchmarks/recall/check-corpus.ts'
import type { Corpus } from '../benchmarks/recall/corpus.ts'
import { generateCorpus } from '../benchmarks/recall/generate-corpus.ts'
import { readLongMemEval } from '../benchmarks/recall/longmemeval.ts'
import { MOST_SHARE, measureCost } from '../benchmarks/recall/measure-cost.ts'
import { measureRecall } from '../benchmarks/recall/measure-recall.ts'
import { compareWithBounds, SMALL_SEED, SMALL_SIZES } from '../benchmarks/recall/recall-bounds.ts'
import { recallAt } from '../benchmarks/recall/recall-report.ts'
import { localSubject, sqliteSubject } from '../benchmarks/recall/sqlite-subject.ts'
import { contentWords, shareInCommon } from '../benchmarks/recall/words-in-common.ts'

describe('the corpus', () => {
  it('is the same for the same seed, and holds what it asks for', () => {
    const corpus = generateCorpus(1)
    expect(generateCorpus(1)).toEqual(corpus)
    for (const seed of [1, 2, 3]) expect(checkCorpus(generateCorpus(seed))).toEqual([])
  })

  it('counts the words that a question shares with its answer', () => {
    expect(contentWords("What's the port of my Heron server?")).toEqual(['port', 'heron', 'server'])
    expect(contentWords('猫の名前')).toEqual(['猫の', 'の名', '名前'])
    expect(shareInCommon('Which car is red?', 'A red bicycle')).toBe(0.5)
    expect(shareInCommon('What is it?', 'It is it')).toBe(0)
  })
})

describe('a file of LongMemEval', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hermes-longmemeval-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const item = {
    question_id: 'q1',
    question_type: 'single-session-user',
    question: 'What is my cat called?',
    answer: 'Mo',
    question_date: '2023/05/30 (Tue) 23:40',
    haystack_session_ids: ['s1', 's2'],
    haystack_dates: ['2023/05/20 (Sat) 02:21', '2023/05/21 (Sun) 12:00'],
    haystack_sessions: [
      [
        { role: 'user', content: 'My cat Mo is ill.', has_answer: true },
        { role: 'assistant', content: 'I am sorry to hear that.' },
        { role: 'user', content: 'Still there?' },
        { role: 'user', content: 'Hello?' },
      ],
      [
        { role: 'assistant', content: 'Welcome back.' },
        { role: 'user', content: 'Hello' },
      ],
    ],
    answer_session_ids: ['s1'],
  }

  const read = async (content: unknown): Promise<readonly Corpus[]> => {
    const file = join(folder, 'longmemeval.json')
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
    return readLongMemEval(file)
  }

  it('becomes one corpus for each question that has an answer', async () => {
    const startedAt = Date.UTC(2023, 4, 20, 2, 21)
    expect(await read([item, { ...item, question_id: 'q2_abs' }])).toEqual([
      {
        sessions: [
          {
            id: 's1',
            automated: false,
            turns: [
              { user: 'My cat Mo is ill.', assistant: 'I am sorry to hear that.', at: startedAt },
              { user: 'Still there?', assistant: '', at: startedAt + 60_000 },
              { user: 'Hello?', assistant: '', at: startedAt + 120_000 },
            ],
          },
          {
            id: 's2',
            automated: false,
            turns: [
              { user: '', assistant: 'Welcome back.', at: Date.UTC(2023, 4, 21, 12) },
              { user: 'Hello', assistant: '', at: Date.UTC(2023, 4, 21, 12, 1) },
            ],
          },
        ],
        questions: [
          {
            id: 'q1',
            kind: 'single-session-user',
            text: 'What is my cat called?',
            at: Date.UTC(2023, 4, 30, 23, 40),
            evidence: ['s1'],
            outdated: [],
            said: 'My cat Mo is ill.',
          },
        ],
      },
    ])
  })

  it('can be measured', async () => {
    const { answered } = await measureRecall(bareBm25, await read([item, { ...item, question_id: 'q2' }]))
    expect(answered).toHaveLength(2)
    expect(recallAt(answered, 1)).toBe(1)
  })

  it.each([
    ['{"a":', /is not JSON/],
    [{}, /is not a list of questions/],
    [[], /holds no question with an answer/],
    [[{ ...item, question_id: 'q1_abs' }], /holds no question with an answer/],
    [[1], /Item 0 .* it is not an object/],
    [[item, { ...item, question: 7 }], /Item 1 .* 'question' is missing or not a text/],
    [[{ ...item, haystack_dates: ['yesterday', 'today'] }], /'yesterday' is not a date/],
    [[{ ...item, haystack_dates: [] }], /differ in length/],
    [[{ ...item, haystack_sessions: [[{ role: 'tool', content: '' }], []] }], /a message is/],
    [[{ ...item, haystack_sessions: 'none' }], /'haystack_sessions' is missing/],
    [[{ ...item, answer_session_ids: ['s3'] }], /the session 's3'/],
  ])('that is wrong is refused with what is wrong: %j', async (content, problem) => {
    await expect(read(content)).rejects.toThrow(problem)
  })

  it('that cannot be read is refused with its path', async () => {
    await expect(readLongMemEval(join(folder, 'missing.json'))).rejects.toThrow(/missing\.json' cannot be read/)
  })
})

describe('recall', () => {
  it('finds what it promises in figures', { timeout: 120_000 }, async () => {
    const findings = compareWithBounds(await measureRecall(sqliteSubject, [generateCorpus(SMALL_SEED, SMALL_SIZES)]))
    expect(findings.filter(({ isMet }) => !isMet)).toEqual([])
  })

  it('finds more by meaning, with the local model', { timeout: 900_000 }, async () => {
    const { answered } = await measureRecall(localSubject, [generateCorpus(SMALL_SEED, SMALL_SIZES)])
    expect(recallAt(answered, 5)).toBeGreaterThanOrEqual(0.95)
    expect(
      recallAt(
        answered.filter(({ question }) => question.wording === 'other'),
        5,
      ),
    ).toBeGreaterThanOrEqual(0.7)
  })

  it('leaves the system prompt and the prefix of the prompt as they were sent, in fifty turns', { timeout: 120_000 }, async () => {
    const { sessions, questions } = generateCorpus(SMALL_SEED, SMALL_SIZES)
    const cost = await measureCost({ sessions: sessions.slice(0, 60), questions })
    expect(cost).toMatchObject({ turns: 50, calls: 60, systemPrompts: 1, failures: [] })
    expect(cost.turnsWithRecall).toBeGreaterThan(20)
    expect(cost.recalledChars).toBeGreaterThan(1_000)
    expect(cost.share).toBeLessThanOrEqual(MOST_SHARE)
  })

  it('gives a poisoned page of an old session no authority', { timeout: 120_000 }, async () => {
    const levels = ['strict', 'balanced'] as const
    const { attacks } = await measurePoisoning([{ ...hermesSubject, levels }], RECALL_CLASS)
    expect(attacks).toHaveLength(144)
    expect(attacks.filter(({ outcome }) => outcome === 'raised')).toEqual([])
    for (const trust of levels) expect(await measureOwnWords(trust)).toEqual({ trust, attacks: 12, without: [], different: [] })
  })
})
