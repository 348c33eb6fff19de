/** Replays the golden threat vectors (made by running Python Hermes) on `scanThreats`. */
import { describe, expect, it } from 'vitest'
import type { ThreatScope } from '../src/threats/phrases.ts'
import { scanThreats } from '../src/threats/scan.ts'
import { loadVectors } from './support/load-vectors.ts'

type Findings = Readonly<Record<ThreatScope, readonly string[]>>

interface ThreatCase {
  readonly id: string
  readonly group: string
  readonly kind: 'benign' | 'malicious' | 'edge'
  readonly text?: string
  readonly parts?: ReadonlyArray<readonly [string, number]>
  readonly expect: Findings
  readonly trap?: readonly string[]
}

interface Deviation {
  readonly name: string
  readonly reason: string
  readonly applies: (text: string, expected: Findings) => boolean
  /** The expected findings. */
  readonly instead: (ids: readonly string[], text: string, scope: ThreatScope) => readonly string[]
}

const JOINER_IDS = ['invisible_unicode_U+200C', 'invisible_unicode_U+200D']

const emojiJoiner = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?\u200d(?=\p{Extended_Pictographic})/gu
const scriptJoiner =
  /(?<=[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}])[\u200c\u200d](?=[\p{L}\p{M}])/gu

const lettersApart = /(?<![\p{L}\p{N}])[a-z](?:[^\p{L}\p{N}]{1,3}[a-z](?![\p{L}\p{N}])){2,}/giu

/** The text without marks, invisible characters and separators between single letters. */
const undisguised = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(lettersApart, (run) => run.replace(/[^a-z]/gi, ''))

/**
 * Intended differences from Python Hermes, recognised by the content of the case, so that they also apply to other vectors of the format.
 */
const DEVIATIONS: readonly Deviation[] = [
  {
    name: 'joiners-in-place',
    reason: 'emoji made of several and Persian or Indic words need their joiners; refusing them drops ordinary notes without a trace',
    applies: (text, expected) =>
      expected.strict.some((id) => JOINER_IDS.includes(id)) &&
      !/[\u200c\u200d]/.test(text.replace(emojiJoiner, '').replace(scriptJoiner, '')),
    instead: (ids) => ids.filter((id) => !JOINER_IDS.includes(id)),
  },
  {
    name: 'disguise',
    reason: 'an order that hides behind accents, invisible characters or letters set apart reaches the model all the same',
    applies: (text, expected) => scanThreats(undisguised(text), 'strict').some((id) => !expected.strict.includes(id)),
    instead: (ids, text, scope) => [...new Set([...ids, ...scanThreats(undisguised(text), scope)])].sort(),
  },
]

const toText = ({ text, parts = [] }: ThreatCase): string => text ?? parts.map(([piece, times]) => piece.repeat(times)).join('')

const vectors = loadVectors<{ readonly cases: readonly ThreatCase[] }>('threats')

describe.skipIf(!vectors)('threat vectors', () => {
  if (!vectors) it.skip('the folder of vectors has no threats.json')
  for (const each of vectors?.cases ?? []) {
    const text = toText(each)
    const deviation = DEVIATIONS.find(({ applies }) => applies(text, each.expect))
    const note = deviation ? ` — differs on purpose (${deviation.name}: ${deviation.reason})` : ''
    it(`${each.id} ${each.group}, ${each.kind}${note}`, () => {
      for (const scope of ['all', 'context', 'strict'] as const) {
        const expected = deviation ? deviation.instead(each.expect[scope], text, scope) : each.expect[scope]
        expect(scanThreats(text, scope), scope).toEqual(expected)
      }
    })
  }
})
