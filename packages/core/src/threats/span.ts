/** Finds phrases split over neighbouring memory entries: each looks harmless alone, but the model reads them together. */
import { createPhraseMatcher, type PhraseSpan, type ThreatTokens, toTokens } from './phrase-match.ts'
import { parsePhrase, THREAT_PHRASES } from './phrases.ts'

/**
 * Only commands to the model with several significant words. Patterns of one or two everyday words (`pull` | `tasks …`, `output` |
 * `system prompt …`, `you` | `must report …`) and those that span free text (`write …` | `… ~/.ssh`) would match two harmless notes too
 * easily.
 */
const SPANNING_IDS: ReadonlySet<string> = new Set([
  ...['prompt_injection', 'sys_prompt_override', 'disregard_rules', 'bypass_restrictions', 'deception_hide'],
  ...['role_hijack', 'role_pretend', 'remove_filters', 'fake_update', 'identity_override'],
])
const spanning = THREAT_PHRASES.filter(({ id }) => SPANNING_IDS.has(id))
const phrases = createPhraseMatcher(spanning)

/** Words at which an incomplete sentence may end; with any other filler word at its end, a note counts as complete. */
const CONNECTING = new Set(
  'a an the this that these those any all every each such other of in on at by to for from with about and or my your our his her its their'.split(
    ' ',
  ),
)

interface Boundaries {
  readonly entryOf: Int32Array
  /** For each token, the index of the nearest token up to and including it that is not a connecting word; -1 if none. */
  readonly lastSolid: Int32Array
}

const toBoundaries = ({ text, count, starts, ends }: ThreatTokens, entryStarts: readonly number[]): Boundaries => {
  const entryOf = new Int32Array(count)
  const lastSolid = new Int32Array(count)
  let entry = 0
  let solid = -1
  for (let token = 0; token < count; token++) {
    const start = starts[token] as number
    const end = ends[token] as number
    while (entry + 1 < entryStarts.length && (entryStarts[entry + 1] as number) <= start) entry++
    if (end - start > 5 || !CONNECTING.has(text.slice(start, end))) solid = token
    entryOf[token] = entry
    lastSolid[token] = solid
  }
  return { entryOf, lastSolid }
}

const toReach = (): number => {
  const lengths = spanning
    .flatMap(({ notations }) => notations.flatMap(parsePhrase))
    .map((steps) => steps.reduce((length, { gap }) => length + gap + 1, 0))
  return Math.max(...lengths)
}

let reach: number | undefined

/** Maximum tokens of a phrase. What is farther away from an entry does not change what `findSpanning` finds in it. */
export const spanReach = (): number => {
  reach ??= toReach()
  return reach
}

/**
 * For each entry, the ids of the phrases that begin, continue or end in it and cross at least one boundary. Takes folded texts; linear in
 * their total length.
 */
export const findSpanning = (texts: readonly string[]): readonly ReadonlySet<string>[] => {
  const found = texts.map(() => new Set<string>())
  const entryStarts: number[] = []
  let length = 0
  for (const text of texts) {
    entryStarts.push(length)
    length += text.length + 1
  }
  const tokens = toTokens(texts.join('\n'))
  const { entryOf, lastSolid } = toBoundaries(tokens, entryStarts)
  const mayContinue = (from: number, to: number): boolean =>
    entryOf[from] === entryOf[to] || to - from === 1 || (lastSolid[to - 1] as number) <= from

  // The white space that a phrase requires after it may be the boundary, so the next entry belongs to it.
  const lastEntry = ({ last }: PhraseSpan, opensNext: boolean): number =>
    entryOf[opensNext ? Math.min(last + 1, tokens.count - 1) : last] as number
  const places = phrases.places(tokens)
  for (const { id, notations } of spanning) {
    const opensNext = notations.some((notation) => notation.endsWith('_'))
    for (const span of phrases.spans(id, tokens, places, mayContinue)) {
      const first = entryOf[span.first] as number
      const last = lastEntry(span, opensNext)
      if (last > first) for (let entry = first; entry <= last; entry++) found[entry]?.add(id)
    }
  }
  return found
}
