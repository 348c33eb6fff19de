/** Properties of every patch, whatever the texts. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds } from '../../../../../scripts/support/rounds.ts'
import { codePoint } from '../../../test/support/code-point.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { toPlainTypography } from './lines.ts'
import { patchSkillText } from './patch-skill.ts'

const UNITS = [
  'a',
  'b',
  ' ',
  '  ',
  '\t',
  '\n',
  '\r\n',
  '\\n',
  '\\t',
  '\\',
  "'",
  "\\'",
  '“',
  '"',
  '—',
  '--',
  '…',
  '\u00a0',
  '😀',
  '\ud800',
  '$&',
]
const anyText = fc.oneof(fc.string({ unit: fc.constantFrom(...UNITS), maxLength: 30 }), fc.string({ unit: codePoint, maxLength: 30 }))
const options = fc.record({ replaceAll: fc.boolean() })

/** Words without white space; `alphabet` keeps the parts of a generated content apart. */
const words = (alphabet: readonly string[]) =>
  fc.array(
    fc.array(fc.constantFrom(...alphabet), { minLength: 1, maxLength: 5 }).map((letters) => letters.join('')),
    { minLength: 1, maxLength: 6 },
  )
const prose = (alphabet: readonly string[]) =>
  fc.array(words(alphabet), { minLength: 1, maxLength: 5 }).map((lines) => lines.map((line) => line.join(' ')).join('\n'))

const bare = (text: string) => toPlainTypography(text).text.replaceAll(/[ \t]+/g, '')

it('answers every input with a result or a typed refusal', () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, options, (content, oldText, newText, chosen) => {
      const result = patchSkillText(content, { oldText, newText, ...chosen })
      if (result.ok) expect(result.value.count).toBeGreaterThan(0)
      else expect(HermesError.isInstance(result.error) && typeof result.error.details['reason']).toBe('string')
      if (result.ok && !chosen.replaceAll) expect(result.value.count).toBe(1)
    }),
    { seed: 20_260_911, numRuns: rounds(2000) },
  )
})

it('puts the new text exactly where the old was, and nothing else moves', () => {
  const outside = anyText.filter((text) => !text.includes('§') && !text.includes('\r'))
  fc.assert(
    fc.property(outside, prose(['§', 'x']), prose(['n', '😀', '$&', '—']), outside, (before, old, newText, after) => {
      const oldText = `§${old}§`
      const result = patchSkillText(before + oldText + after, { oldText, newText })
      expect(result).toEqual({ ok: true, value: { result: before + newText + after, strategy: 'exact', count: 1 } })
    }),
    { seed: 20_260_912 },
  )
})

it('replaces every exact occurrence as splitting and joining does', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 40 })
  const short = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(text, short, text, (content, oldText, newText) => {
      fc.pre(content.includes(oldText) && oldText !== newText)
      const result = patchSkillText(content, { oldText, newText, replaceAll: true })
      expect(result).toMatchObject({ ok: true, value: { result: content.split(oldText).join(newText) } })
    }),
    { seed: 20_260_913 },
  )
})

it('finds a text whose white space and typography differ, writes the new one in its place, and keeps the rest byte for byte', () => {
  const around = fc.string({ unit: fc.constantFrom('p', 'q', ' ', '\n', '\t', '“', '😀'), maxLength: 40 })
  const disguise = fc.record({
    indent: fc.constantFrom('', '  ', '\t'),
    gap: fc.constantFrom(' ', '   ', '\t'),
    quote: fc.constantFrom('"', '“'),
  })
  fc.assert(
    fc.property(
      around,
      prose(['x', 'y', '"']),
      prose(['n', 'm', '"']),
      around,
      disguise,
      (before, old, newText, after, { indent, gap, quote }) => {
        const oldText = `x${old}y`
        const disguised = oldText
          .split('\n')
          .map((line) => indent + line)
          .join('\n')
        // Only one kind of difference beside the indent: strategies are not combined, except with typography and indent.
        const inFile = quote === '“' ? disguised.replaceAll('"', quote) : indent === '' ? disguised.replaceAll(' ', gap) : disguised
        const content = `${before}\n${inFile}\n${after}`
        const result = patchSkillText(content, { oldText, newText })
        if (!result.ok) throw result.error
        const head = `${before}\n`
        const tail = `\n${after}`
        expect(result.value.count).toBe(1)
        expect(result.value.result.startsWith(head) && result.value.result.endsWith(tail)).toBe(true)
        expect(bare(result.value.result.slice(head.length, -tail.length))).toBe(bare(newText))
      },
    ),
    { seed: 20_260_919, numRuns: rounds(500) },
  )
})
