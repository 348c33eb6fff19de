/**
 * Plays many sessions of one home, in turn: a conversation that goes on for ever and a new one that is forgotten at its end, both in a Hermes that stays open; and one
 * in a Hermes that is opened for it and closed after it. A turn takes three minutes of a simulated clock. Reviews run with a scripted model that proposes the newest fact.
 */
import { createHermes, type Hermes, type HermesEvent, type HostModelRequest } from '@hermes/core'
import { manualClock, scriptedHostModel } from '../../packages/testing/src/doubles.ts'
import { unwrap } from '../faults/scenarios.ts'
import type { SoakStorage } from './soak-storages.ts'
import { countHandles, findMoreHandles, type Memory, measureMemory, type OpenHandles, readStored, settleHandles } from './take-sample.ts'
import { turnLedger } from './turn-ledger.ts'

/** `resources` and `descriptors`: see `OpenHandles`. */
export interface SoakSample extends Memory {
  readonly turns: number
  readonly sessions: number
  /** While the Hermes that stays open is in use. */
  readonly resources: number
  readonly descriptors: number
  /** Of all documents. */
  readonly storedBytes: number
  readonly diskBytes: number
  /** So far. */
  readonly reviews: number
  readonly applied: number
  readonly errors: number
  /** Turns that the storage counts as waiting for a review, of memory or of skills. */
  readonly waiting: number
  /** Acknowledged turns that no review has read and no stored session holds. */
  readonly lost: number
}

export interface SoakPlan {
  readonly storage: SoakStorage
  readonly turns: number
  readonly sessions: number
  /** Turns between two samples, or a fortieth of the turns so far if that is more; one is taken at the end of a session. */
  readonly every: number
  /** Called when the turns of the plan are done: true plays them again, in further sessions. */
  readonly goesOn?: () => boolean
  readonly onSample: (sample: SoakSample) => void
  /** Called with what is wrong, in words. */
  readonly onWrong: (what: string) => void
  /** Milliseconds that handles have to close. Default 2,000. */
  readonly closeMs?: number
  /** A leak to be found, for the test of the soak itself: called after each turn. */
  readonly leak?: () => void
}

/** Of the turns of a plan. A sample reads everything that is stored, so that a plan which goes on takes fewer. */
export const SAMPLES = 40

/** `sampled`: the turns of the last sample. */
export const isSampleDue = (turns: number, sampled: number, every: number): boolean => turns - sampled >= Math.max(every, turns / SAMPLES)

const TURN_MS = 3 * 60_000
/** A Hermes keeps up to 1,000 sessions open in memory: with a few that go on, its heap is steady from early on. */
const LASTING = 5
const KINDS = 3

const propose = (request: HostModelRequest): string => {
  const said = request.messages.map(({ content }) => content).join('\n')
  const fact = said.match(/Service \d+ is deployed from host h\d+\./g)?.at(-1)
  const proposals =
    fact === undefined ? [] : [{ target: 'memory', op: { action: 'add', content: fact }, score: 0.9, evidence: [{ quote: fact }] }]
  return JSON.stringify({ proposals })
}

/** What an event says went wrong, if anything. */
const faultOf = (event: HermesEvent): string | undefined => {
  if ('error' in event && event.error instanceof Error) return `${event.type}: ${event.error.message}`
  if (event.type === 'turns-dropped') return `${event.turns} turns were dropped`
  if (event.type === 'review-finished' && event.outcome.failed[0]) return `a proposal failed: ${event.outcome.failed[0].error.message}`
  return undefined
}

/** Resolves when all turns are played and everything is closed. */
export const playSoak = async (plan: SoakPlan): Promise<void> => {
  const { storage, turns, sessions, every, closeMs = 2_000, onSample, onWrong } = plan
  const clock = manualClock()
  const ledger = turnLedger()
  const counts = { turns: 0, sessions: 0, reviews: 0, applied: 0, errors: 0 }
  const onEvent = (event: HermesEvent): void => {
    if (event.type === 'review-finished') {
      counts.reviews++
      counts.applied += event.outcome.applied.length
    }
    const fault = faultOf(event)
    if (fault === undefined) return
    counts.errors++
    onWrong(fault)
  }
  const model = (request: HostModelRequest) => {
    ledger.strikeRead(request.messages.map(({ content }) => content).join('\n'))
    // A scripted model keeps its requests, so that each request gets one of its own.
    return scriptedHostModel(propose)(request)
  }
  const open = async (): Promise<{ readonly hermes: Hermes; readonly close: () => Promise<void> }> => {
    const opened = await storage.open()
    const hermes = createHermes({ storage: opened.storage, clock, onEvent, review: { model } })
    return {
      hermes,
      close: async () => {
        await hermes.close()
        await opened.close()
      },
    }
  }

  /** Turns so far of the sessions that go on. */
  const played = new Map<string, number>()

  /** Resolves to the turns that the session has by now. */
  const playSession = async (hermes: Hermes, id: string, length: number): Promise<number> => {
    const session = hermes.session(id)
    await session.systemBlock()
    for (let turn = 0; turn < length; turn++) {
      clock.advance(TURN_MS)
      counts.turns++
      const messages = [
        { role: 'user' as const, text: ledger.nextWords(id) },
        { role: 'assistant' as const, text: 'It is in the notes. The owner is in the readme of its repository.' },
      ]
      session.recordTurn({ messages, toolIterations: 1 })
      await session.settled()
      plan.leak?.()
    }
    unwrap(await session.end())
    await session.settled()
    const stored = unwrap(await hermes.sessions.get(id))
    const before = played.get(id) ?? 0
    if (stored?.userTurns !== before + length) onWrong(`the session '${id}' has ${stored?.userTurns ?? 'no'} turns, not ${before + length}`)
    if ((stored?.unreadTurns ?? 0) < ledger.unread(id)) onWrong(`the session '${id}' has fewer waiting turns than were not read`)
    return before + length
  }

  const playLasting = async (hermes: Hermes, length: number): Promise<string> => {
    const id = `lasting-${counts.sessions % LASTING}`
    played.set(id, await playSession(hermes, id, length))
    return id
  }

  const playForgotten = async (hermes: Hermes, length: number): Promise<string> => {
    const id = `forgotten-${counts.sessions}`
    await playSession(hermes, id, length)
    unwrap(await hermes.forgetSession(id))
    ledger.forget(id)
    return id
  }

  const playClosed = async (length: number): Promise<string> => {
    const id = `closed-${counts.sessions}`
    const own = await open()
    await playSession(own.hermes, id, length)
    await own.close()
    return id
  }

  const start = countHandles()
  const lasting = await open()
  const sample = async (): Promise<void> => {
    const waiting = unwrap(await lasting.hermes.sessions.list()).reduce((sum, { unreadTurns }) => sum + unreadTurns, 0)
    const { resources, descriptors } = countHandles()
    const handles = { resources: Object.values(resources).reduce((sum, count) => sum + count, 0), descriptors }
    const reader = await storage.open()
    const stored = await readStored(reader.storage)
    await reader.storage.close?.()
    await reader.close()
    onSample({
      ...counts,
      ...(await measureMemory()),
      ...handles,
      storedBytes: stored.bytes,
      diskBytes: await storage.measureDisk(),
      waiting,
      lost: ledger.missingFrom(stored.sessions),
    })
  }

  let first: OpenHandles | undefined
  let sampled = 0
  do {
    for (let index = 0; index < sessions; index++) {
      const length = Math.floor(((index + 1) * turns) / sessions) - Math.floor((index * turns) / sessions)
      const kind = counts.sessions++ % KINDS
      const id = await (kind === 0
        ? playLasting(lasting.hermes, length)
        : kind === 1
          ? playForgotten(lasting.hermes, length)
          : playClosed(length))
      const handles = await settleHandles(first, closeMs)
      if (first) for (const more of findMoreHandles(first, handles)) onWrong(`after the session '${id}', open: ${more}`)
      // The first session of each kind may open what stays open.
      else if (counts.sessions === KINDS) first = handles
      if (!isSampleDue(counts.turns, sampled, every)) continue
      sampled = counts.turns
      await sample()
    }
  } while (plan.goesOn?.() === true)
  if (sampled < counts.turns) await sample()
  await lasting.close()
  for (const more of findMoreHandles(start, await settleHandles(start, closeMs))) onWrong(`after everything is closed, open: ${more}`)
}
