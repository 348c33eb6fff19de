/** What the suite needs of a memory provider, and the homes that each of its tests gets: their hooks are called as a home calls them. */

import { setTimeout } from 'node:timers/promises'
import { type HermesError, ok } from '@hermes/core'
import type { OwnerId } from '@hermes/core/portability'
import {
  type HomeProvider,
  type MemoryProvider,
  type ProviderCall,
  type ProviderForgetTarget,
  type ProviderTurn,
  readTexts,
} from '@hermes/core/provider'
import { ownerPath } from '@hermes/core/queue'
import { expect } from 'vitest'
import { manualClock } from '../doubles.ts'

export interface ProviderHarness {
  /** Without anything stored. */
  readonly provider: MemoryProvider
  /** Removes what the test stored. Called after the provider was shut down for all homes. */
  dispose?(): Promise<void>
}

/** What a provider does. Each capability is expected unless it is set to false. */
export interface ProviderCapabilities {
  /** `prefetch` finds what was said in another session. Set it to false if only tools do. */
  readonly recalls?: boolean
  /** `forget` erases. Without it, a receipt names the provider as remaining. */
  readonly forgets?: boolean
  /** Serves homes of many owners. */
  readonly owners?: boolean
  /** What was stored is found after a shutdown. */
  readonly persists?: boolean
  /** Milliseconds until what was stored is found, and what was erased is not. Default 0; for services that work in the background. */
  readonly findsWithinMs?: number
  /** Milliseconds for each hook. Default 5,000. */
  readonly timeoutMs?: number
}

export type CreateProviderHarness = () => ProviderHarness | Promise<ProviderHarness>

export const ANN: OwnerId = { tenant: 'acme', user: 'ann' }
/** Joined carelessly, it is the same as the other one. */
export const BEN: OwnerId = { tenant: 'acme/ann', user: 'ben' }

const START = Date.UTC(2026, 0, 5, 12)
/** Longer than any text of a test, so that what is not found is not stored. */
const MAX_CHARS = 100_000
const POLL_MS = 20

/** Words that a person says, and a question that shares several of them. `word` is in the words only. */
export const SISTER = { user: 'My sister Petra lives in Lisbon.', question: 'Where does my sister Petra live?', word: 'Lisbon' }
export const BIKE = {
  user: 'My red bicycle in the cellar is a Brompton.',
  question: 'Which make is the red bicycle in my cellar?',
  word: 'Brompton',
}

interface TestHome {
  readonly hooks: HomeProvider
  /** Resolves to the turn, which can be delivered again. */
  say(user: string, sessionId?: string, project?: string): Promise<ProviderTurn>
  deliver(turn: ProviderTurn): Promise<void>
  /** Asks in a session of its own. */
  ask(text: string, project?: string): Promise<readonly string[]>
  /** Resolves when the answer to the question has the word; fails if it does not in time. */
  finds(said: { readonly question: string; readonly word: string }, project?: string): Promise<void>
  /** The same for an answer without the word. */
  misses(said: { readonly question: string; readonly word: string }, project?: string): Promise<void>
  forget(target: ProviderForgetTarget): Promise<number>
  shutdown(): Promise<void>
}

export interface ProviderTest {
  readonly harness: ProviderHarness
  open(owner?: OwnerId): Promise<TestHome>
  /** What providers reported. */
  readonly reported: readonly HermesError[]
  readonly limits: Required<Pick<ProviderCapabilities, 'findsWithinMs' | 'timeoutMs'>>
}

/** Target for `forget`. */
export const textTarget = (text: string, dryRun = false): ProviderForgetTarget => ({
  kind: 'text',
  text,
  matches: (stored) => stored.toLowerCase().includes(text.toLowerCase()),
  dryRun,
})

/** Without a project a home names none. */
export const ofProject = (project: string | undefined): { readonly project?: string } => (project === undefined ? {} : { project })

export const withProvider = async (
  create: CreateProviderHarness,
  { findsWithinMs = 0, timeoutMs = 5_000 }: ProviderCapabilities,
  run: (test: ProviderTest) => Promise<void>,
): Promise<void> => {
  const harness = await create()
  const open = new Set<TestHome>()
  const reported: HermesError[] = []
  const clock = manualClock(START)
  let turns = 0

  const call = (): ProviderCall => ({ signal: AbortSignal.timeout(timeoutMs) })

  const homeOf = (hooks: HomeProvider): TestHome => {
    const deliver = async (turn: ProviderTurn) => hooks.syncTurn?.(turn, call())
    const ask = async (text: string, project?: string): Promise<readonly string[]> => {
      const started = { sessionId: 'asking', ...ofProject(project), text, at: clock() }
      const query = { ...started, maxChars: MAX_CHARS }
      await hooks.onTurnStart?.(started, call())
      const answer = (await hooks.prefetch?.(query, call())) ?? []
      // A home would drop repetitions, which a test wants to see.
      if (!readTexts(answer, { maxChars: MAX_CHARS, known: new Set() }))
        throw new Error("'prefetch' must resolve to a text or a list of texts.")
      return (typeof answer === 'string' ? [answer] : answer).filter((each) => each.trim() !== '')
    }
    /** Background work of a service takes a while. */
    const untilAnswer = async (question: string, project: string | undefined, holds: (text: string) => boolean): Promise<string> => {
      const until = performance.now() + findsWithinMs
      for (;;) {
        const text = (await ask(question, project)).join('\n')
        if (holds(text) || performance.now() >= until) return text
        await setTimeout(POLL_MS)
      }
    }
    const home: TestHome = {
      hooks,
      deliver,
      ask,
      async say(user, sessionId = 'said', project) {
        clock.advance(60_000)
        const turn = { id: `turn-${++turns}`, sessionId, ...ofProject(project), at: clock(), user, assistant: 'I see.', automated: false }
        await deliver(turn)
        return turn
      },
      async finds({ question, word }, project) {
        expect(await untilAnswer(question, project, (text) => text.includes(word))).toContain(word)
      },
      async misses({ question, word }, project) {
        expect(await untilAnswer(question, project, (text) => !text.includes(word))).not.toContain(word)
      },
      async forget(target) {
        const count = await hooks.forget?.(target, call())
        expect(count).toSatisfy((each) => Number.isSafeInteger(each) && Number(each) >= 0)
        return Number(count)
      },
      async shutdown() {
        open.delete(home)
        await hooks.shutdown?.(call())
      },
    }
    open.add(home)
    return home
  }

  try {
    await run({
      harness,
      reported,
      limits: { findsWithinMs, timeoutMs },
      async open(owner) {
        const home = {
          ...(owner ? { owner } : {}),
          folder: owner ? `homes/${await ownerPath(owner)}` : '',
          clock,
          archived: async () => ok([]),
          report: (problem: HermesError) => void reported.push(problem),
        }
        return homeOf(await harness.provider.initialize(home, call()))
      },
    })
  } finally {
    for (const home of [...open]) await home.shutdown()
    await harness.dispose?.()
  }
}
