/** The world of a test with many owners: their homes in one storage, and one host for all of them, whose model is the suite. */

import { createHermes, createHermesHomes, type HermesEvent, type HermesHomes, type HermesHomesOptions, inMemoryBackend } from '@hermes/core'
import { asRecord, asText } from '@hermes/core/adapter'
import type { OwnerId } from '@hermes/core/portability'
import { ownerPath } from '@hermes/core/queue'
import { readDocument } from '@hermes/core/storage'
import { manualClock } from '../doubles.ts'
import type { AdapterHost, CreateAdapterHost } from './adapter-host.ts'
import { type AnswersOrNone, type RecordedCalls, recordCalls, rememberIn } from './model.ts'
import { INSTRUCTIONS } from './world.ts'

export interface OwnersWorld extends RecordedCalls {
  readonly events: readonly HermesEvent[]
  /** The homes of the current process. */
  homes(): HermesHomes
  /** Runs one turn and waits for its background work. */
  turn(owner: OwnerId | undefined, sessionId: string, text: string): Promise<string>
  /** Sets the answer to all further turns; 'Fine.' if it is `undefined`. */
  answerTurns(answer: AnswersOrNone): void
  /** Simulates a new process on the same storage: new homes, a new host. */
  restart(): Promise<void>
  /** Stores a note, as the memory tool of the agent would. */
  remember(owner: OwnerId, note: string): Promise<void>
  /** All paths and texts in the folder of an owner; without an owner, in the whole storage. */
  files(owner?: OwnerId): Promise<string>
}

const toOwner = (value: unknown): OwnerId => {
  const { tenant, user } = asRecord(value)
  return { user: asText(user), ...(typeof tenant === 'string' ? { tenant } : {}) }
}

export const createOwnersWorld = async (
  createHost: CreateAdapterHost,
  options: Omit<HermesHomesOptions, 'storage'> = {},
): Promise<OwnersWorld> => {
  const storage = inMemoryBackend()
  const conversations = new Map<string, readonly unknown[]>()
  const events: HermesEvent[] = []
  const clock = manualClock()
  let answer: AnswersOrNone = () => undefined
  const { calls, model } = recordCalls((call) => answer(call))

  const startProcess = async (): Promise<{ homes: HermesHomes; host: AdapterHost }> => {
    const homes = createHermesHomes({ clock, ...options, storage, onEvent: (event) => events.push(event) })
    const tools = {
      lookup: async () => 'The page says: nothing of interest.',
      delegate: async (input: unknown) => {
        const { owner, sessionId, question } = asRecord(input)
        return (await host.ask(asText(sessionId), asText(question), { owner: toOwner(owner) })).text
      },
    }
    // Belongs to no owner, so that its content must not appear in any prompt.
    const hermes = createHermes({ storage: inMemoryBackend() })
    const host: AdapterHost = await createHost({ hermes, homes, model, instructions: INSTRUCTIONS, tools, conversations })
    return { homes, host }
  }

  let current = await startProcess()

  const filesBelow = async (folder: string): Promise<string> => {
    const listed = await storage.list(folder)
    if (!listed.ok) throw listed.error
    const texts = listed.value.map(async ({ path }) => {
      const read = await readDocument(storage, path)
      return `${path}\n${new TextDecoder().decode(read.ok ? read.value?.bytes : undefined)}`
    })
    return (await Promise.all(texts)).join('\n')
  }

  return {
    events,
    ...calls,
    homes: () => current.homes,
    async turn(owner, sessionId, text) {
      const reply = await current.host.send(sessionId, text, owner === undefined ? {} : { owner })
      await current.homes.settled()
      return reply.text
    },
    answerTurns(given) {
      answer = given
    },
    async restart() {
      await current.homes.settled()
      current = await startProcess()
    },
    remember: (owner, note) => rememberIn(current.homes.for(owner).session('before'), note),
    files: async (owner) => filesBelow(owner === undefined ? '' : `homes/${await ownerPath(owner)}`),
  }
}
