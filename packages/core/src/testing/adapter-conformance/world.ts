/** One test's world: storage that outlives processes, the host under test, the suite in the place of its model, and a record of all that happened. */
import * as z from 'zod'
import { createHermes } from '../../create-hermes.ts'
import type { Hermes } from '../../hermes.ts'
import type { HermesOptions } from '../../hermes-options.ts'
import type { HermesEvent } from '../../session/hermes-event.ts'
import { inMemoryBackend } from '../../storage/backends/in-memory.ts'
import { MEMORY_PATHS } from '../../storage/storage-paths.ts'
import { manualClock } from '../manual-clock.ts'
import type { AdapterHost, CreateAdapterHost, ModelAnswer, ModelCall, SendOptions } from './adapter-host.ts'
import { proposes, says, skillText } from './answers.ts'
import { type FaultyStorage, faultyStorage } from './faulty-storage.ts'

/** The host's own system prompt; a snapshot comes behind it. */
export const INSTRUCTIONS = 'You are the assistant of the conformance suite.'

export interface World {
  readonly storage: FaultyStorage
  readonly events: readonly HermesEvent[]
  /** Calls of the user's turns and of reviews, in the order in which they reached the model. */
  readonly turnCalls: readonly ModelCall[]
  readonly reviewCalls: readonly ModelCall[]
  /** The Hermes of the current process. */
  hermes(): Hermes
  send(sessionId: string, text: string, options?: SendOptions): Promise<string>
  /** Sends and waits for what happens behind the turn. */
  turn(sessionId: string, text: string, options?: SendOptions): Promise<string>
  settled(): Promise<void>
  /** The next calls of turns are answered by these, one each; then it is 'Fine.' again. */
  answerTurns(...answers: readonly ((call: ModelCall) => ModelAnswer | Promise<ModelAnswer>)[]): void
  /** Every review from now on is answered by this. */
  answerReviews(answer: (call: ModelCall) => ModelAnswer | Promise<ModelAnswer>): void
  /** The page that the host's tool `lookup` finds from now on, in whichever process. */
  answerLookups(page: string): void
  /** A new process on the same storage: another Hermes, another host. */
  restart(): Promise<void>
  /** From now on the host's database holds the newest entries of a conversation only, as a host with a window has it; not where the framework keeps conversations itself. */
  dropHistory(sessionId: string, entries: number): void
  /** Remembers a note through a session's own gate, as a tool call in front of the user would. */
  remember(sessionId: string, note: string): Promise<void>
  /** Puts a skill into the library, as the host itself would. */
  teach(name: string, description: string, body: string): Promise<void>
  /** Text of a memory file; empty where there is none. */
  stored(target: 'memory' | 'user'): Promise<string>
}

const delegation = z.object({ sessionId: z.string(), question: z.string() })

export const createWorld = async (createHost: CreateAdapterHost, options: Omit<HermesOptions, 'storage'> = {}): Promise<World> => {
  const storage = faultyStorage(inMemoryBackend())
  const conversations = new Map<string, readonly unknown[]>()
  const events: HermesEvent[] = []
  const turnCalls: ModelCall[] = []
  const reviewCalls: ModelCall[] = []
  const clock = manualClock()
  const queue: ((call: ModelCall) => ModelAnswer | Promise<ModelAnswer>)[] = []
  let page = 'The page says: nothing of interest.'
  let review: (call: ModelCall) => ModelAnswer | Promise<ModelAnswer> = () => proposes()

  const model = async (call: ModelCall): Promise<ModelAnswer> => {
    if (call.purpose === 'review') {
      reviewCalls.push(call)
      return review(call)
    }
    turnCalls.push(call)
    return queue.shift()?.(call) ?? says('Fine.')
  }

  const startProcess = async (): Promise<{ hermes: Hermes; host: AdapterHost }> => {
    const hermes = createHermes({ clock, ...options, storage, onEvent: (event) => events.push(event) })
    const tools = {
      lookup: async () => page,
      delegate: async (input: unknown) => {
        const { sessionId, question } = delegation.parse(input)
        return (await host.ask(sessionId, question)).text
      },
    }
    const host: AdapterHost = await createHost({ hermes, model, instructions: INSTRUCTIONS, tools, conversations })
    return { hermes, host }
  }

  let current = await startProcess()

  const send = async (sessionId: string, text: string, sendOptions?: SendOptions) =>
    (await current.host.send(sessionId, text, sendOptions)).text

  return {
    storage,
    events,
    turnCalls,
    reviewCalls,
    hermes: () => current.hermes,
    send,
    async turn(sessionId, text, sendOptions) {
      const reply = await send(sessionId, text, sendOptions)
      await current.hermes.settled()
      return reply
    },
    settled: () => current.hermes.settled(),
    answerTurns: (...answers) => {
      queue.push(...answers)
    },
    answerReviews: (answer) => {
      review = answer
    },
    answerLookups: (text) => {
      page = text
    },
    async restart() {
      await current.hermes.settled()
      current = await startProcess()
    },
    dropHistory(sessionId, entries) {
      const known = conversations.get(sessionId)
      if (known !== undefined) conversations.set(sessionId, known.slice(-entries))
    },
    async remember(sessionId, note) {
      const said = `Please remember this: ${note}`
      const proposal = {
        target: 'memory',
        op: { action: 'add', content: note },
        rationale: 'asked for',
        score: 1,
        evidence: [{ quote: note }],
      } as const
      const disposed = await current.hermes.session(sessionId).submit(proposal, [{ role: 'user', text: said }])
      if (!disposed.ok) throw disposed.error
      if (disposed.value.kind !== 'applied') throw new Error(`'${note}' was not remembered: ${JSON.stringify(disposed.value)}`)
    },
    async teach(name, description, body) {
      const created = await current.hermes.skillStore().create({ name, content: skillText(name, description, body) })
      if (!created.ok) throw created.error
    },
    async stored(target) {
      const read = await storage.read(MEMORY_PATHS[target])
      return read.ok && read.value !== undefined ? new TextDecoder().decode(read.value.bytes) : ''
    },
  }
}
