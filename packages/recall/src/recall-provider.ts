/** A memory provider that finds what was said in past sessions, over an index of the host's choice. */
import { type Clock, HermesError } from '@hermes/core'
import type { OwnerId } from '@hermes/core/portability'
import type { MemoryProvider } from '@hermes/core/provider'
import { chooseEmbedding, type Embed } from './embed/choose-embedding.ts'
import { createSimilar } from './embed/similar.ts'
import { type OpenedRecall, openHomeProvider } from './home-provider.ts'
import { createRecall, type Recall } from './recall.ts'
import type { HomeRecallIndex, RecallIndex } from './recall-index.ts'
import { SEARCH_TOOL, SYSTEM_PROMPT_BLOCK } from './session-search.ts'
import { itemTerms, TERMS_VERSION } from './text/terms.ts'

export interface RecallProviderOptions {
  readonly index: RecallIndex
  /** Turns older than this are erased. Default 365. */
  readonly retainDays?: number | 'forever'
  /** The mild preference for recent turns halves in this time. Default 60. */
  readonly halfLifeDays?: number
  /** An embedding model, by which texts are also found by meaning: `'local'`, one of the AI SDK or LangChain, or your own function. Default none. */
  readonly embed?: Embed
}

/** What opens the recall of one home outside a session, such as a command line. */
export interface RecallHome {
  readonly owner?: OwnerId
  readonly folder: string
  readonly clock: Clock
  report(problem: HermesError): void
}

export interface RecallProvider extends MemoryProvider {
  /** For search, figures and upkeep by hand; `index.close()` ends it. */
  openRecall(home: RecallHome): Promise<Recall>
}

const DAY_MS = 86_400_000
/** How long a turn waits for the vector of its search, and a person who searches by hand. */
const TURN_LIMIT_MS = 800
const PERSON_LIMIT_MS = 10_000

const checkDays = (name: string, value: unknown): number => {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0 && value <= 100_000) return value
  throw new TypeError(
    `${name} must be a number of days above 0${name === 'retainDays' ? ", or 'forever'" : ''}, but is ${String(value).slice(0, 80)}.`,
  )
}

const checkIndex = (index: unknown): void => {
  if (typeof index === 'object' && index !== null && typeof Reflect.get(index, 'open') === 'function') return
  throw new TypeError(
    "recallProvider needs an index, such as recallProvider({ index: sqliteRecallIndex({ folder: '~/.hermes/recall' }) }).",
  )
}

const KNOWN: readonly string[] = ['index', 'retainDays', 'halfLifeDays', 'embed'] satisfies readonly (keyof RecallProviderOptions)[]

const checkNames = (options: unknown): void => {
  const unknown = Object.keys(Object(options)).find((name) => !KNOWN.includes(name))
  if (unknown !== undefined)
    throw new TypeError(`recallProvider has no option '${unknown.slice(0, 80)}'. Its options are ${KNOWN.join(', ')}.`)
}

/** Throws a TypeError for an option that is not known or cannot be used. */
export const recallProvider = (options: RecallProviderOptions): RecallProvider => {
  checkNames(options)
  checkIndex(Reflect.get(Object(options), 'index'))
  const { index, retainDays = 365, halfLifeDays = 60, embed } = options
  // One for all homes: a local model is loaded once.
  const embedding = embed === undefined ? undefined : chooseEmbedding(embed)
  const retainMs = retainDays === 'forever' ? undefined : checkDays('retainDays', retainDays) * DAY_MS
  const halfLifeMs = checkDays('halfLifeDays', halfLifeDays) * DAY_MS
  const openIndex = (home: RecallHome): Promise<HomeRecallIndex> =>
    index.open({
      ...(home.owner ? { owner: home.owner } : {}),
      folder: home.folder,
      clock: home.clock,
      report: (problem) => home.report(problem),
      termsVersion: TERMS_VERSION,
      termsOf: itemTerms,
    })
  const open = async (home: RecallHome, searchLimitMs: number): Promise<OpenedRecall> => {
    const opened = await openIndex(home)
    const report = (problem: HermesError) => home.report(problem)
    const missing = embedding?.problem()
    if (missing !== undefined) report(new HermesError('provider', `Recall finds by words only: ${missing}`))
    const similar =
      embedding && missing === undefined ? createSimilar(opened, embedding, { clock: home.clock, report, searchLimitMs }) : undefined
    return { recall: createRecall(opened, { clock: home.clock, halfLifeMs, similar }), similar }
  }
  return {
    name: 'recall',
    systemPromptBlock: SYSTEM_PROMPT_BLOCK,
    tools: [SEARCH_TOOL],
    projects: true,
    async initialize(home) {
      const opened = await open(home, TURN_LIMIT_MS)
      return openHomeProvider(opened, home, retainMs)
    },
    openRecall: async (home) => (await open(home, PERSON_LIMIT_MS)).recall,
  }
}
