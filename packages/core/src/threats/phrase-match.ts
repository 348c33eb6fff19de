/** Finds phrases in linear time by merging the sorted positions of their words. */
import { type PhraseStep, parsePhrase } from './phrase.ts'
import type { ThreatTokens } from './tokens.ts'
import { createVocabulary, fitsWord, type Places } from './vocabulary.ts'

/** First and last token of an occurrence. */
export interface PhraseSpan {
  readonly first: number
  readonly last: number
}

/**
 * Whether a phrase may continue from one token to the next of its words. Must be monotonic: false for a stretch implies false for any
 * wider one.
 */
export type MayContinue = (from: number, to: number) => boolean

export interface PhraseMatcher {
  /** Compute it once per text and pass it to `spans`. */
  readonly places: (tokens: ThreatTokens) => Places
  /** For each token that ends an occurrence of the phrase, the shortest occurrence. */
  readonly spans: (id: string, tokens: ThreatTokens, places: Places, mayContinue?: MayContinue) => readonly PhraseSpan[]
}

interface Step extends PhraseStep {
  /** Absent for fits that most tokens have: these are only checked directly after the preceding word. */
  readonly place: number | undefined
}

const candidates = (step: Step, before: readonly PhraseSpan[], tokens: ThreatTokens, places: Places): readonly number[] => {
  if (step.place !== undefined) return places[step.place] as readonly number[]
  const next = before.map(({ last }) => last + 1).filter((token) => token < tokens.count)
  return next.filter((token) => (step.fit === 'any' ? [''] : step.words).some((word) => fitsWord(tokens, token, word, step.fit)))
}

const join = (
  before: readonly PhraseSpan[],
  places: readonly number[],
  gap: number,
  { lastNonWord }: ThreatTokens,
  mayContinue: MayContinue,
): readonly PhraseSpan[] => {
  const joined: PhraseSpan[] = []
  let near = -1
  for (const last of places) {
    while (near + 1 < before.length && (before[near + 1] as PhraseSpan).last < last) near++
    const span = before[near]
    // Only the nearest earlier word matters: a farther one has at least the same gap.
    if (!span || last - span.last - 1 > gap) continue
    if (last - span.last > 1 && (lastNonWord[last - 1] as number) > span.last) continue
    if (mayContinue(span.last, last)) joined.push({ first: span.first, last })
  }
  return joined
}

/** Each phrase has notations for `parsePhrase`; any of them makes the finding. They are parsed at the first text, not on import. */
export const createPhraseMatcher = (
  phrases: ReadonlyArray<{ readonly id: string; readonly notations: readonly string[] }>,
): PhraseMatcher => {
  const vocabulary = createVocabulary()
  const toStep = (step: PhraseStep): Step => ({
    ...step,
    place: step.fit === 'any' || step.fit === 'holds' ? undefined : vocabulary.enter(step),
  })
  let compiled: ReadonlyMap<string, ReadonlyArray<readonly Step[]>> | undefined
  const compile = () => {
    compiled ??= new Map(phrases.map(({ id, notations }) => [id, notations.flatMap(parsePhrase).map((steps) => steps.map(toStep))]))
    return compiled
  }

  const spansOf = (steps: readonly Step[], tokens: ThreatTokens, places: Places, mayContinue: MayContinue): readonly PhraseSpan[] => {
    const [first, ...rest] = steps
    if (!first) return []
    let spans: readonly PhraseSpan[] = candidates(first, [], tokens, places).map((token) => ({ first: token, last: token }))
    for (const step of rest) {
      if (spans.length === 0) return []
      spans = join(spans, candidates(step, spans, tokens, places), step.gap, tokens, mayContinue)
    }
    return spans
  }

  return {
    places: (tokens) => {
      compile()
      return vocabulary.find(tokens)
    },
    spans: (id, tokens, places, mayContinue = () => true) =>
      (compile().get(id) ?? []).flatMap((steps) => spansOf(steps, tokens, places, mayContinue)),
  }
}
