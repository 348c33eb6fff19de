/** Replays the golden patch cases, made by running the Python reference. Those that need the skill store are replayed with it. */
import { describe, expect, test } from 'vitest'
import type { Result } from '../src/shared/result.ts'
import { toPlainTypography } from '../src/skills/patch/lines.ts'
import { patchSkillText, type SkillPatchOutcome } from '../src/skills/patch/patch-skill.ts'
import { loadSkillPatchVectors, type MatcherCase, needsSkillStore, toText } from './support/skill-patch-vectors.ts'

/** The result of the reference and our result. */
interface Step {
  readonly content: string
  readonly oldText: string
  readonly newText: string
  readonly reference: { readonly strategy: string; readonly count: number; readonly result: string }
  readonly outcome: Result<SkillPatchOutcome>
}

interface Deviation {
  /** The reason for the difference. */
  readonly reason: string
  /** Decides by the input and the result of the reference, never by our result. */
  readonly appliesTo: (step: Step) => boolean
  /** Checks what must hold instead. */
  readonly instead: (step: Step) => void
}

const withLineFeeds = (text: string) => text.replaceAll('\r\n', '\n')
const collapsed = (text: string) => text.replaceAll(/[ \t]+/g, ' ')
const plain = (text: string) => toPlainTypography(text).text
const unindented = (text: string) => text.replaceAll(/^[ \t]+/gm, '')
const indentOf = (line: string) => /^[ \t]*/.exec(line)?.[0] ?? ''
const resultOf = ({ outcome }: Step): string => {
  expect(outcome).toMatchObject({ ok: true })
  return outcome.ok ? outcome.value.result : ''
}

const expectRefused = ({ outcome }: Step, code: string, reason: string) =>
  expect(outcome).toMatchObject({ ok: false, error: { code, details: { reason } } })

/** The indents of quoted lines and of the file's lines that equal them when trimmed, at the first place where all do. */
const indentPairs = ({ content, oldText }: Step): ReadonlyArray<readonly [quoted: string, inFile: string]> => {
  const quoted = oldText.split('\n')
  const lines = content.split('\n')
  const at = lines.findIndex((_, index) => quoted.every((line, offset) => line.trim() === lines[index + offset]?.trim()))
  if (at === -1) return []
  return quoted.flatMap((line, offset) => (line.trim() === '' ? [] : [[indentOf(line), indentOf(lines[at + offset] ?? '')] as const]))
}

const shiftsUnevenly = (step: Step): boolean => {
  const pairs = indentPairs(step)
  const [base, baseInFile] = pairs[0] ?? ['', '']
  const shifted = (indent: string) =>
    base === baseInFile ? indent : indent.startsWith(base) ? baseInFile + indent.slice(base.length) : baseInFile
  return pairs.some(([quoted, inFile]) => shifted(quoted) !== inFile)
}

/** Strategies of the reference that also match lines which only resemble the quoted ones. */
const APPROXIMATE: ReadonlySet<string> = new Set(['block_anchor', 'context_aware'])

/** Cases that these strategies find and then refuse: here the text is not found in the first place. */
const FOUND_APPROXIMATELY: ReadonlySet<string> = new Set([
  'block_anchor/two-candidates-both-above-70',
  'block_anchor/replace-all-refused',
  'context/two-similar-lines-ambiguous',
  'context/replace-all-refused',
  'drift/doubled-backslashes',
])

const escapeForRegExp = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** All intended differences. */
const DEVIATIONS: Readonly<Record<string, Deviation>> = {
  'line-ends-kept': {
    reason: 'A file with CRLF throughout would be left with two kinds of line ends, and later exact matches in it would fail.',
    appliesTo: ({ content, oldText, newText, reference }) =>
      content.includes('\r\n') &&
      !withLineFeeds(content).includes('\r') &&
      !content.replaceAll('\r\n', '').includes('\n') &&
      !`${oldText}${newText}`.includes('\r') &&
      reference.result.replaceAll('\r\n', '').includes('\n'),
    instead: (step) => {
      const result = resultOf(step)
      expect(withLineFeeds(result)).toBe(withLineFeeds(step.reference.result))
      expect(result.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    },
  },
  'indent-of-the-quoted-line': {
    reason:
      'One shift for all lines mixes tabs with spaces and flattens nested YAML and code where the quoted lines were not all shifted alike: each line takes the indent of the file at the line quoted with the same indent.',
    appliesTo: (step) => step.reference.strategy === 'line_trimmed' && step.newText !== '' && shiftsUnevenly(step),
    instead: (step) => {
      const result = resultOf(step)
      expect(unindented(result)).toBe(unindented(step.reference.result))
      const known = indentPairs(step).map(([, inFile]) => inFile)
      const theirs = step.reference.result.split('\n')
      for (const [index, line] of result.split('\n').entries()) if (line !== theirs[index]) expect(known).toContain(indentOf(line))
    },
  },
  'typography-of-every-match': {
    reason: 'With several matches the reference compares all of them joined together with one new text and writes them plainly.',
    appliesTo: ({ reference }) => reference.strategy === 'unicode_normalized' && reference.count > 1,
    instead: (step) => {
      const result = resultOf(step)
      expect(plain(result)).toBe(plain(step.reference.result))
      // At least as many typographic characters as there, and more if the unchanged part of the text has some.
      expect(result.length).toBeLessThanOrEqual(step.reference.result.length)
      const [head = '', ...rest] = plain(step.content).split(plain(step.oldText))
      expect(rest).toHaveLength(step.reference.count)
      expect(plain(result)).toBe([head, ...rest].join(plain(step.newText)))
    },
  },
  'only-what-is-quoted': {
    reason: 'Lines that only resemble the quoted ones may say the opposite of them, and are not replaced.',
    appliesTo: ({ reference }) => APPROXIMATE.has(reference.strategy),
    instead: (step) => expectRefused(step, 'not_found', 'not-found'),
  },
  'space-before-the-match-kept': {
    reason: 'With a run of spaces before the match the reference takes the last of them away, which was not quoted.',
    appliesTo: ({ content, oldText, reference }) =>
      reference.strategy === 'whitespace_normalized' &&
      new RegExp(
        `\\S[ \\t]{2,}${oldText
          .split(/[ \t]+/)
          .map(escapeForRegExp)
          .join('[ \\t]+')}`,
      ).test(content),
    instead: (step) => expect(collapsed(resultOf(step))).toBe(collapsed(step.reference.result)),
  },
  'escapes-that-are-meant': {
    reason: 'A spelled-out tab or CR stays one where the file has it spelled out too, or the new text has a real one beside it.',
    appliesTo: ({ content, oldText, newText }) =>
      [
        ['\\t', '\t'],
        ['\\r', '\r'],
      ].some(([spelled = '', real = '']) => newText.includes(spelled) && (oldText.includes(spelled) || newText.includes(real))) ||
      (newText.includes('\\r') && !withLineFeeds(content).includes('\r')),
    instead: (step) => expect(unindented(resultOf(step))).toContain(unindented(step.newText)),
  },
  'line-breaks-spelled-out-twice': {
    reason:
      'Where the old text was found only after its spelled-out line breaks became real ones, those of the new text were written as they are.',
    appliesTo: ({ oldText, newText, reference }) =>
      reference.strategy === 'escape_normalized' && oldText.includes('\\n') && newText.includes('\\n'),
    instead: (step) => expectRefused(step, 'invalid', 'escape-drift'),
  },
}

const CODES: Readonly<Record<string, string>> = {
  'empty-old': 'empty',
  'blank-old': 'empty',
  identical: 'invalid',
  ambiguous: 'ambiguous',
  'escape-drift': 'invalid',
  'not-found': 'not_found',
}

const runCase = (vector: MatcherCase) => {
  const { content, replaceAll } = vector
  const [oldText, newText] = [toText(vector.old), toText(vector.new)]
  const outcome = patchSkillText(content, { oldText, newText, replaceAll })
  if (!vector.expect.ok) {
    const reason = FOUND_APPROXIMATELY.has(vector.name) ? 'not-found' : vector.expect.error
    expect(outcome).toMatchObject({ ok: false, error: { code: CODES[reason], details: { reason } } })
    return
  }
  const { strategy = '', count = 1, result, resultLength } = vector.expect
  if (result === undefined) {
    expect(outcome).toMatchObject({ ok: true, value: { strategy, count } })
    expect(outcome.ok && [...outcome.value.result]).toHaveLength(resultLength ?? -1)
    return
  }
  const step = { content, oldText, newText, reference: { strategy, count, result }, outcome }
  const deviations = Object.values(DEVIATIONS).filter(({ appliesTo }) => appliesTo(step))
  for (const { instead } of deviations) instead(step)
  if (deviations.length === 0) expect(outcome).toEqual({ ok: true, value: { strategy, count, result } })
}

const vectors = loadSkillPatchVectors()

describe.skipIf(!vectors)('the golden patch cases', () => {
  const cases = vectors ?? []

  test('are there', () => {
    expect(cases.length).toBeGreaterThan(0)
  })

  const matcherCases = cases.flatMap((vector) => (needsSkillStore(vector) ? [] : [[vector.name, vector] as const]))

  test.for(matcherCases)('%s', ([, vector]) => runCase(vector))

  test('leave nothing out but what needs the skill store', () => {
    expect(matcherCases.length + cases.filter(needsSkillStore).length).toBe(cases.length)
  })
})

test('every deviation of the patch cases states a reason', () => {
  for (const { reason } of Object.values(DEVIATIONS)) expect(reason).not.toBe('')
})
