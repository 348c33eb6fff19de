/** Traces the statements of a merged text to those of its sources. */
import { pause } from '../shared/pause.ts'
import { contentWords } from '../text/content-words.ts'
import { isLabel, type MergeSources, type Occurrence, sourceNamedBy } from './merge-sources.ts'
import { isText, keyOf, keysOf, type Statement, type StatementToken, type TokenCache, tokensOfSentence } from './statement.ts'
import { SKILL_LAYOUT } from './trace-skill.ts'

/** A part of a merged text, with the places where its sources say the same. */
export interface Taken {
  readonly statement: Statement
  readonly found: readonly Occurrence[]
}

/** Where it stands in the order of a text; a description or a heading of the same words counts only if there is nothing else. */
const inOrder = (found: readonly Occurrence[]): readonly Occurrence[] => {
  const placed = found.filter(({ at, statement }) => at !== undefined && statement.kind !== 'heading')
  return placed.length > 0 ? placed : found
}

/** Whether the same sources have both, and only in the other order. */
const isReversed = (given: readonly Occurrence[], later: readonly Occurrence[]): boolean => {
  const [first, second] = [inOrder(given), inOrder(later)]
  const sources = new Set(first.map(({ source }) => source))
  const others = new Set(second.map(({ source }) => source))
  if (sources.size !== others.size || ![...sources].every((source) => others.has(source))) return false
  return !first.some((one) =>
    second.some((other) => one.source === other.source && (one.at === undefined || other.at === undefined || one.at <= other.at)),
  )
}

/** What stands behind something that its source has after it; at most `most` of them. */
export const findReordered = async (
  taken: readonly Taken[],
  most: number,
): Promise<readonly { readonly statement: Statement; readonly before: Statement }[]> => {
  const placed = taken.filter(({ statement }) => statement.kind !== 'heading')
  const reordered: { statement: Statement; before: Statement }[] = []
  const last = new Map<number, number>()
  for (const [index, { statement, found }] of placed.entries()) {
    const maybe = found.some(({ source, at }) => at !== undefined && at < (last.get(source) ?? 0))
    for (const { source, at = 0 } of found) last.set(source, Math.max(at, last.get(source) ?? 0))
    if (!maybe) continue
    await pause()
    const before = placed.slice(0, index).find((earlier) => isReversed(earlier.found, found))
    if (before) reordered.push({ statement, before: before.statement })
    if (reordered.length >= most) break
  }
  return reordered
}

/** The steps of a list or of a code block, from which something was taken that stands nowhere else. */
const takenSequences = (order: readonly (readonly Occurrence[])[], { all, find }: MergeSources): readonly (readonly Occurrence[])[] => {
  const sequences = new Map<object, Occurrence[]>()
  for (const occurrence of all) {
    const { sequence, key } = occurrence.statement
    if (!sequence || key === '') continue
    const steps = sequences.get(sequence)
    if (steps) steps.push(occurrence)
    else sequences.set(sequence, [occurrence])
  }
  const taken = new Set(order.flat())
  const isOnlyIn = ({ statement: { key, sequence } }: Occurrence): boolean =>
    find(key).every((other) => other.statement.sequence === sequence)
  return [...sequences.values()].filter((steps) => steps.some((step) => taken.has(step) && isOnlyIn(step)))
}

/** Steps are taken whole and in their order, or not at all: of each sequence the first step that is not. */
export const findMissingSteps = (taken: readonly Taken[], sources: MergeSources): readonly Statement[] => {
  const order = taken.map(({ found }) => found)
  return takenSequences(order, sources).flatMap((steps) => {
    let from = 0
    for (const step of steps) {
      const at = order.findIndex(
        (found, index) => index >= from && found.some((each) => each === step || each.statement.key === step.statement.key),
      )
      if (at < 0) return [step.statement]
      from = at + 1
    }
    return []
  })
}

/** Clauses of a sentence that may be several statements. */
const MOST_CLAUSES = 16
/** Statements that may be one of the sources'. */
const MOST_TOGETHER = 8
const STATEMENTS_BETWEEN_PAUSES = 16

const endOfClause = (tokens: readonly StatementToken[], from: number): readonly number[] =>
  tokens.flatMap((_, index) => (index >= from && (tokens[index + 1]?.opens ?? true) ? [index + 1] : []))

export class StatementTracer {
  /** In the order of the merged text. */
  readonly taken: Taken[] = []
  readonly #sources: MergeSources
  readonly #cache: TokenCache
  /** Key of the only heading that all others are below. */
  #title: string | undefined
  /** Keys of what was traced, by section. */
  readonly #said = new Map<string, Set<string>>()
  readonly #traced = new Map<Statement, readonly (readonly Occurrence[])[]>()

  constructor(sources: MergeSources, cache: TokenCache) {
    this.#sources = sources
    this.#cache = cache
  }

  /** Whether the section that the statement is in is about this source. The title of the text names all of it. */
  #isInPlace({ kind, headings }: Statement, source: number): boolean {
    if (kind === 'heading') return true
    const named = headings.filter((key) => key !== this.#title).map((key) => sourceNamedBy(key, this.#sources))
    return (named.find((other) => other !== undefined) ?? source) === source
  }

  #fits(statement: Statement, { statement: source, source: index }: Occurrence): boolean {
    if (!this.#isInPlace(statement, index)) return false
    if (source.hidden && !statement.hidden) return false
    if (isText(source) !== isText(statement)) return false
    if (source.turnedBy !== statement.turnedBy) return false
    // Code that its skill warns of keeps the warning in its section.
    if (source.warning && !this.#isSaid(source.warning.key, statement)) return false
    const lead = this.#leadsOf(statement)
    const wanted = source.lead === undefined || this.#isBareLabel(source.lead) ? '' : source.lead.key
    if (wanted === '') return lead.size === 0 || this.#isBareLabel(statement.lead)
    return lead.has(wanted) || (lead.size === 0 && statement.headings[0] === wanted)
  }

  #isSaid(key: string, { headings: [section = ''] }: Statement): boolean {
    return this.#said.get(section)?.has(key) === true
  }

  #keep(statement: Statement, parts: readonly (readonly Occurrence[])[]): void {
    this.#traced.set(statement, parts)
    this.taken.push(...parts.map((found) => ({ statement, found })))
    const [section = ''] = statement.headings
    const said = this.#said.get(section) ?? new Set<string>()
    for (const found of parts.flat()) said.add(found.statement.key)
    this.#said.set(section, said)
  }

  /** What introduces the statement, as its sources say it. An introduction that is only a label, such as “Labels:”, introduces nothing. */
  #leadsOf({ lead }: Statement): ReadonlySet<string> {
    const last = lead && this.#traced.get(lead)?.at(-1)
    return new Set(lead && last ? [lead.key, ...last.map(({ statement }) => statement.key)] : [])
  }

  #isBareLabel(statement: Statement | undefined): boolean {
    return statement === undefined || [...contentWords(statement.text)].every((word) => SKILL_LAYOUT.has(word))
  }

  #find(statement: Statement, key: string): readonly Occurrence[] {
    return this.#sources.find(key).filter((occurrence) => this.#fits(statement, occurrence))
  }

  /** The statement as several of the sources', one after another. Nothing follows one that negates or restricts. */
  #joined(statement: Statement, from = 0): readonly (readonly Occurrence[])[] | undefined {
    const { tokens } = statement
    if (from === 0 && tokens.filter(({ opens }) => opens).length > MOST_CLAUSES) return undefined
    if (from >= tokens.length) return []
    for (const end of [...endOfClause(tokens, from)].reverse()) {
      const part = tokens.slice(from, end)
      if (end < tokens.length && part.some(({ turns }) => turns)) continue
      const found = this.#find(statement, keyOf(part))
      const rest = found.length > 0 ? this.#joined(statement, end) : undefined
      if (rest) return [found, ...rest]
    }
    return undefined
  }

  /** “Label: statement”. */
  #behindLabel(statement: Statement): readonly (readonly Occurrence[])[] | undefined {
    const colon = /^([^:]{1,60}):\s+(\S.*)$/s.exec(statement.text.replace(/\*\*|__/g, ''))
    if (!colon) return undefined
    const [, label = '', rest = ''] = colon
    if (!isLabel(label, tokensOfSentence(label, this.#cache), this.#sources, 'description')) return undefined
    const tokens = tokensOfSentence(rest, this.#cache)
    return tokens.length === 0 ? undefined : this.#joined({ ...statement, text: rest, tokens })
  }

  /** The statements of the sources that it consists of; undefined if it does not. */
  parts(statement: Statement): readonly (readonly Occurrence[])[] | undefined {
    for (const key of keysOf(statement)) {
      const whole = this.#find(statement, key)
      if (whole.length > 0) return [whole]
    }
    const joined = isText(statement) ? (this.#joined(statement) ?? this.#behindLabel(statement)) : undefined
    return joined?.some((found, index) => joined.slice(0, index).some((before) => isReversed(before, found))) ? undefined : joined
  }

  /** Consecutive statements from `start` that together are one of the sources', split between its clauses. Returns how many. */
  #split(statements: readonly Statement[], start: number): { readonly count: number; readonly found: readonly Occurrence[] } | undefined {
    const first = statements[start]
    if (first?.kind !== 'prose') return undefined
    let key = first.key
    let cut = 0
    const cuts: number[] = []
    for (let end = start + 1; end < Math.min(statements.length, start + MOST_TOGETHER); end++) {
      const next = statements[end]
      if (next?.kind !== 'prose' || next.hidden !== first.hidden || next.key === '') return undefined
      key = `${key} ${next.key}`
      const found = this.#find(first, key).filter(({ statement: { tokens } }) => !tokens.some(({ turns }) => turns))
      cut += statements[end - 1]?.tokens.length ?? 0
      cuts.push(cut)
      const whole = found.filter(({ statement: { tokens } }) => cuts.every((at) => tokens[at]?.opens))
      if (whole.length > 0) return { count: end - start + 1, found: whole }
    }
    return undefined
  }

  /** Returns what no source says, at most `most`, except for what is `allowed`. */
  async trace(statements: readonly Statement[], allowed: (statement: Statement) => boolean, most: number): Promise<readonly Statement[]> {
    const untraced: Statement[] = []
    const [top, ...others] = statements.filter(({ kind, headings }) => kind === 'heading' && headings.length === 0)
    this.#title = others.length === 0 ? top?.key : undefined
    for (let index = 0; index < statements.length && untraced.length < most; index++) {
      const statement = statements[index]
      if (!statement) continue
      if (index % STATEMENTS_BETWEEN_PAUSES === 0) await pause()
      const parts = statement.key === '' ? undefined : this.parts(statement)
      if (parts) this.#keep(statement, parts)
      else if (!allowed(statement)) {
        const split = this.#split(statements, index)
        if (split) this.#keep(statement, [split.found])
        else untraced.push(statement)
        index += (split?.count ?? 1) - 1
      }
    }
    return untraced
  }
}
