import { describe, expect, it } from 'vitest'
import { strykerPlugins } from './mutants/ignore-messages.ts'
import { type FolderResult, LOWEST_SCORE, type SurvivingMutant, summarize, toScore } from './mutants/summarize.ts'

const mutant: SurvivingMutant = {
  file: 'gate/a.ts',
  lineNumber: 7,
  line: 'if (a < b) return',
  code: 'a < b',
  becomes: 'a <= b',
  mutator: 'EqualityOperator',
  isCovered: true,
}

const result = (killed: number, survived: number, name = 'gate'): FolderResult => ({
  name,
  killed,
  open: Array.from({ length: survived }, () => mutant),
  seconds: 1,
})

describe('the summary of a mutation run', () => {
  it('counts a folder and lists its survivors, those without coverage among them', () => {
    const open = [mutant, { ...mutant, lineNumber: 9, isCovered: false }]
    const { text } = summarize([{ name: 'gate', killed: 6, open, seconds: 61.4 }])
    expect(text).toMatch(/^gate +6 +1 +1 +75\.0 % +61 s$/m)
    expect(text).toContain(
      'gate/a.ts:7 EqualityOperator\n  if (a < b) return\n  a < b  becomes  a <= b\ngate/a.ts:9 EqualityOperator, no coverage\n',
    )
  })

  it('is enough if every folder has the lowest score, and names each that does not', () => {
    expect(LOWEST_SCORE).toBe(90)
    expect(summarize([result(90, 10), result(1, 0, 'nudge')]).isEnough).toBe(true)
    const { text, isEnough } = summarize([result(90, 10), result(899, 101, 'nudge'), result(1, 1, 'memory')])
    expect(isEnough).toBe(false)
    expect(text).toMatch(/\n\nnudge: the score of 89\.9 % is below 90 %\.\nmemory: the score of 50\.0 % is below 90 %\.\n$/)
  })

  it('never shows a score below the limit as the limit', () => {
    const { text, isEnough } = summarize([result(8_999, 1_001)])
    expect([text.includes('89.9 %'), isEnough]).toEqual([true, false])
  })

  it('is not enough if a folder has nothing to change, as after a move', () => {
    const { text, isEnough } = summarize([result(0, 0)])
    expect([text.includes('gate: there was nothing to change'), isEnough]).toEqual([true, false])
  })
})

it('keeps the score of a folder as numbers', () => {
  const open = [mutant, { ...mutant, isCovered: false }, { ...mutant, isCovered: false }]
  expect(toScore({ name: 'gate', killed: 97, open, seconds: 61.4 })).toEqual({
    folder: 'gate',
    killed: 97,
    survived: 1,
    noCoverage: 2,
    score: 97,
    seconds: 61,
  })
  expect(toScore(result(0, 0)).score).toBe(null)
})

it('leaves out the words of messages, and mutates codes and paths', () => {
  const ignores = (node: { type: string; value?: string; quasis?: { value: { raw: string } }[] }) =>
    strykerPlugins[0]?.value.shouldIgnore({ node }) !== undefined
  expect(ignores({ type: 'StringLiteral', value: 'The store is full.' })).toBe(true)
  expect(ignores({ type: 'TemplateLiteral', quasis: [{ value: { raw: 'Found ' } }, { value: { raw: '' } }] })).toBe(true)
  expect(ignores({ type: 'StringLiteral', value: 'memories/MEMORY.md' })).toBe(false)
  expect(ignores({ type: 'IfStatement' })).toBe(false)
})
