import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ACCEPTED } from './mutants/accepted/index.ts'
import { MUTATED_FOLDERS } from './mutants/folders.ts'
import { strykerPlugins } from './mutants/ignore-messages.ts'
import { type SurvivingMutant, summarize } from './mutants/summarize.ts'

const mutant: SurvivingMutant = {
  file: 'gate/a.ts',
  lineNumber: 7,
  line: 'if (a < b) return',
  code: 'a < b',
  becomes: 'a <= b',
  mutator: 'EqualityOperator',
  isCovered: true,
}
const accepted = { file: 'gate/a.ts', line: 'if (a < b) return', code: 'a < b', becomes: 'a <= b', why: 'a is never b' }

describe('the summary of a mutation run', () => {
  it('counts a folder and lists its survivors, those without coverage among them', () => {
    const open = [mutant, { ...mutant, lineNumber: 9, isCovered: false }]
    const { text, isComplete } = summarize([{ name: 'gate', killed: 6, open, seconds: 61.4 }], [])
    expect(isComplete).toBe(false)
    expect(text).toMatch(/^gate +6 +1 +1 +0 +75\.0 % +61 s$/m)
    expect(text).toContain(
      'gate/a.ts:7 EqualityOperator\n  if (a < b) return\n  a < b  becomes  a <= b\ngate/a.ts:9 EqualityOperator, no coverage\n',
    )
  })

  it('is complete if every survivor is accepted, and accepts no other change of the same line', () => {
    const run = (open: readonly SurvivingMutant[]) => summarize([{ name: 'gate', killed: 1, open, seconds: 1 }], [accepted])
    expect(run([mutant])).toMatchObject({ isComplete: true, text: expect.stringMatching(/^gate +1 +0 +0 +1 +100\.0 %/m) })
    expect(run([{ ...mutant, code: 'a' }]).isComplete).toBe(false)
    expect(run([{ ...mutant, becomes: 'a >= b' }]).isComplete).toBe(false)
  })

  it('accepts a change of the same code in every line if no line is given', () => {
    const { line: _, ...anywhere } = accepted
    const open = [mutant, { ...mutant, lineNumber: 9, line: 'while (a < b) step()' }, { ...mutant, lineNumber: 11, code: 'a' }]
    const { text } = summarize([{ name: 'gate', killed: 1, open, seconds: 1 }], [anywhere])
    expect(text).toMatch(/^gate +1 +1 +0 +2 +50\.0 %/m)
  })

  it('accepts what a pattern matches from end to end', () => {
    const pattern = { ...accepted, line: /if \(.*\) return/, code: /\w < \w/ }
    const run = (open: SurvivingMutant) => summarize([{ name: 'gate', killed: 1, open: [open], seconds: 1 }], [pattern]).isComplete
    expect([run(mutant), run({ ...mutant, line: 'if (a < b) return c' }), run({ ...mutant, code: 'a < bc' })]).toEqual([true, false, false])
  })
})

it('every accepted mutant is of a line that the sources still have, in a folder that is mutated', () => {
  const folders = Object.values(MUTATED_FOLDERS).map(({ source }) => source.replace('src/', ''))
  for (const { file, line, code } of ACCEPTED) {
    if (file === undefined) continue
    expect(
      folders.some((folder) => file.startsWith(`${folder}/`)),
      file,
    ).toBe(true)
    const source = readFileSync(join(import.meta.dirname, '../packages/core/src', file), 'utf8')
    const lines = source.split('\n').map((each) => each.trim())
    const holds = (text: string, wanted: string | RegExp) => (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text))
    expect(
      line === undefined ? holds(source, code) : lines.some((each) => (typeof line === 'string' ? each === line : line.test(each))),
      `${file}: ${line ?? code}`,
    ).toBe(true)
  }
})

it('leaves out the words of messages, and mutates codes and paths', () => {
  const ignores = (node: { type: string; value?: string; quasis?: { value: { raw: string } }[] }) =>
    strykerPlugins[0]?.value.shouldIgnore({ node }) !== undefined
  expect(ignores({ type: 'StringLiteral', value: 'The store is full.' })).toBe(true)
  expect(ignores({ type: 'TemplateLiteral', quasis: [{ value: { raw: 'Found ' } }, { value: { raw: '' } }] })).toBe(true)
  expect(ignores({ type: 'StringLiteral', value: 'memories/MEMORY.md' })).toBe(false)
  expect(ignores({ type: 'IfStatement' })).toBe(false)
})
