/** Replays the golden scrubber vectors (made by running Python Hermes) on the stream scrubber and the whole-text sanitiser. */
import { describe, expect, it } from 'vitest'
import { sanitizeContext } from '../src/provider/context-fence.ts'
import { createContextScrubber } from '../src/provider/context-scrubber.ts'
import { loadVectors } from './support/load-vectors.ts'

type Step = string | { readonly flush: true } | { readonly reset: true }

interface StreamCase {
  readonly name: string
  readonly group: string
  readonly chunks: readonly Step[]
  readonly emitted: readonly string[]
  readonly flushed: string
  readonly visible: string
  readonly quirk?: string
}

interface ScrubberVectors {
  readonly cases: readonly StreamCase[]
  readonly sanitizeWholeText: ReadonlyArray<{ readonly in: string; readonly out: string }>
}

const play = (chunks: readonly Step[]): { readonly emitted: readonly string[]; readonly flushed: string; readonly visible: string } => {
  const scrubber = createContextScrubber()
  const emitted = chunks.map((step) => {
    if (typeof step === 'string') return scrubber.push(step)
    if ('flush' in step) return scrubber.flush()
    scrubber.reset()
    return ''
  })
  const flushed = scrubber.flush()
  return { emitted, flushed, visible: [...emitted, flushed].join('') }
}

/** Intended differences from Python Hermes, by the name of a case; `visible` is our text. */
interface Deviation {
  readonly reason: string
  readonly visible: Readonly<Record<string, string>>
}

const DEVIATIONS: readonly Deviation[] = [
  {
    reason: 'a flush ends an answer, so the next one starts on a fresh line; the reference shows recalled text at its head',
    visible: { 'block at the head of the next stream after a flush mid line': 'Checking that now.\nAnswer' },
  },
  {
    reason: 'models write tags in lists, in quotes, with spaces and with attributes; the reference then shows the block',
    visible: {
      'open tag at line start with trailing space': '\nshown',
      'list bullet before the tag': '- \nshown',
      'quote marker before the tag': '> \nshown',
      'tag with inner space is not recognised': '\nshown',
      'tag with attributes is not recognised': '\nshown',
    },
  },
  {
    reason: 'a tag with the note of recall behind it is a repeated fence wherever it is; the reference shows it in mid line',
    visible: {
      'zero width space before the tag does not count as blank': 'a\n\u200b\nb',
      'line separator U+2028 is not a newline': 'a\u2028\nb',
      'random stream 02': 'Hello  Hello </memory-context>\n1 < 2\n<memory-context><mem',
      'random stream 08': 'text Hello Hello 1 < 2\n</memory-context>\n1 < 2\n',
      'random stream 20': '1 < 2\n text  <memory-context>\nsecret \n<mem<memory-context>\nsecret world\n',
      'random stream 30': 'Hello <memory-context>\nsecret <memory-context>\nsecret 1 < 2\ntext 😀😀\n\n',
    },
  },
]

/** These show the same text, but a tag in mid line is held until it is certain that no note, emphasis or attribute follows. */
const HELD_LONGER: ReadonlySet<string> = new Set([
  'inline mention one character per chunk',
  'complete tag mid line at the end of the stream',
  'partial tag held twice',
  ...['01', '13', '15', '16', '19', '21', '26', '28', '29'].map((each) => `random stream ${each}`),
])

const joined = (parts: readonly string[], last: number): string => parts.slice(0, last + 1).join('')

const vectors = loadVectors<ScrubberVectors>('scrubber')

describe.skipIf(!vectors)('scrubber vectors', () => {
  if (!vectors) it.skip('the folder of vectors has no scrubber.json')
  for (const each of vectors?.cases ?? []) {
    const deviation = DEVIATIONS.find(({ visible }) => each.name in visible)
    const note = deviation ? ` — differs on purpose: ${deviation.reason}` : ''
    it(`${each.group}: ${each.name}${note}`, () => {
      const { emitted, flushed, visible } = play(each.chunks)
      if (deviation) {
        expect(visible).toBe(deviation.visible[each.name])
        expect(visible).not.toBe(each.visible)
        return
      }
      expect(visible).toBe(each.visible)
      if (HELD_LONGER.has(each.name)) {
        expect(emitted).not.toEqual(each.emitted)
        for (const at of emitted.keys()) expect(joined(each.emitted, at).startsWith(joined(emitted, at))).toBe(true)
        return
      }
      expect(emitted).toEqual(each.emitted)
      expect(flushed).toBe(each.flushed)
    })
  }

  it('names only cases that exist', () => {
    const names = new Set(vectors?.cases.map(({ name }) => name))
    const named = [...DEVIATIONS.flatMap(({ visible }) => Object.keys(visible)), ...HELD_LONGER]
    expect(named.filter((name) => !names.has(name))).toEqual([])
  })
})

describe.skipIf(!vectors)('whole-text vectors', () => {
  if (!vectors) it.skip('the folder of vectors has no scrubber.json')
  for (const [at, each] of (vectors?.sanitizeWholeText ?? []).entries()) {
    it(`${at + 1}: ${JSON.stringify(each.in)}`, () => {
      expect(sanitizeContext(each.in)).toBe(each.out)
    })
  }
})
