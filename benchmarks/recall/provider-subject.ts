/** A memory provider as a subject: filled with finished turns, asked by its tool `session_search` and by `prefetch`. */
import { setTimeout } from 'node:timers/promises'
import { ok } from '@hermes/core'
import type { HomeProvider, MemoryProvider } from '@hermes/core/provider'
import type { PastSession, Question } from './corpus.ts'
import { type OpenRecall, PREFETCH_CHARS, type RecallSubject } from './recall-subject.ts'

/** The session in which is asked; nothing was said in it. */
const ASKING = 'asking'

const never = (): { readonly signal: AbortSignal } => ({ signal: new AbortController().signal })

/** The most that the tool returns: several passages may be of one session. */
const PASSAGES = 20

/** The `session` of each result of the tool, each once. */
const sessionsOf = (answer: Readonly<Record<string, unknown>>): readonly string[] => {
  const hits = answer['results']
  if (!Array.isArray(hits)) throw new TypeError(`session_search answered without results: ${JSON.stringify(answer).slice(0, 300)}`)
  return [...new Set(hits.flatMap((hit: unknown) => (isRecord(hit) && typeof hit['session'] === 'string' ? [hit['session']] : [])))]
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

export interface OpenedProvider {
  readonly provider: MemoryProvider
  readonly size: () => Promise<number>
  /** Of an embedding model: whether all that was stored has its vectors. */
  readonly isReady?: () => Promise<boolean>
  /** Erases what was stored. */
  readonly dispose: () => Promise<void>
}

const toOpenRecall = (home: HomeProvider, { size, isReady, dispose }: OpenedProvider, setTime: (at: number) => void): OpenRecall => ({
  add: async (sessions: readonly PastSession[]) => {
    for (const { id, automated, turns } of sessions) {
      for (const [index, { user, assistant, at }] of turns.entries()) {
        await home.syncTurn?.({ id: `${id}-${index}`, sessionId: id, at, user, assistant, automated }, never())
      }
    }
  },
  ready: async () => {
    while (isReady && !(await isReady())) await setTimeout(500)
  },
  search: async ({ text, at }: Pick<Question, 'text' | 'at'>, limit) => {
    setTime(at)
    const answer = await home.callTool?.({ name: 'session_search', input: { query: text, limit: PASSAGES }, sessionId: ASKING }, never())
    return sessionsOf(answer ?? {}).slice(0, limit)
  },
  prefetch: async ({ text, at }) => {
    setTime(at)
    const found = (await home.prefetch?.({ sessionId: ASKING, text, at, maxChars: PREFETCH_CHARS }, never())) ?? []
    const texts = typeof found === 'string' ? [found] : found
    return texts
      .filter((each) => each !== '')
      .map((each) => {
        const sessionId = /session ([^\s:,]+)/.exec(each)?.[1]
        return sessionId === undefined ? { text: each } : { text: each, sessionId }
      })
  },
  size,
  close: async () => {
    await home.shutdown?.(never())
    await dispose()
  },
})

export const providerSubject = (name: string, create: () => Promise<OpenedProvider>): RecallSubject => ({
  name,
  end: async () => undefined,
  open: async () => {
    const opened = await create()
    let now = 0
    const home = await opened.provider.initialize(
      {
        folder: '',
        clock: () => now,
        archived: async () => ok([]),
        report: (problem) => {
          throw problem
        },
      },
      never(),
    )
    return toOpenRecall(home, opened, (at) => {
      now = at
    })
  },
})
