/**
 * One process of a server: random operations of many owners, through the adapters' entry points and the homes themselves. The texts of
 * every owner contain that owner's mark, so two marks in one place, or a mark in the wrong place, show a leak.
 */
import { gunzipSync } from 'node:zlib'
import { createHermesHomes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import type { AdapterHost, CreateAdapterHost, ModelAnswer, ModelCall } from '@hermes/testing'
import { seededRandom } from '../../../core/test/support/seeded-random.ts'
import { markOf, marksIn, OWNERS, ownerName } from './marks.ts'

export interface EntryPoint {
  readonly name: string
  readonly create: CreateAdapterHost
  /** The entry point runs tools, including those of the session. */
  readonly toolLoop: boolean
  /** False if the entry point is bound to one session and thus has no calls without an owner. */
  readonly owners: boolean
}

/** Printed by the process at its end, as one line of JSON. */
export interface RunReport {
  readonly operations: number
  readonly leaks: readonly string[]
  /** Number of prompts by kind and content. */
  readonly prompts: { readonly turns: number; readonly reviews: number; readonly withMemory: number; readonly guests: number }
  readonly toolAnswers: number
  readonly erasures: number
}

const SESSIONS = 2
/** Number of concurrent operations in a process: makes data that one call leaves behind visible to another. */
const AT_ONCE = 8
/** Maximum number of messages in a chat before a new one begins. */
const CHAT_LENGTH = 16
const INSTRUCTIONS = 'You are the assistant of a server.'

const text = (answer: string): ModelAnswer => ({
  type: 'text',
  chunks: (async function* () {
    yield answer
  })(),
})

const oneOf = <T>(values: readonly T[], random: () => number): T => values[Math.floor(random() * values.length)] as T

/** Arguments of the process: the folder, a seed, the number of operations. Prints a `RunReport` as one line of JSON at the end. */
export const runOperations = async (entryPoints: readonly EntryPoint[]): Promise<void> => {
  const [folder = '', seed = '1', count = '100'] = process.argv.slice(2)
  const random = seededRandom(Number(seed))
  const homes = createHermesHomes({
    storage: fileSystemBackend(folder),
    nudge: { memoryInterval: 2, skillInterval: 3 },
    homes: { maxOpen: 20 },
    onEvent: () => undefined,
  })
  const leaks: string[] = []
  const prompts = { turns: 0, reviews: 0, withMemory: 0, guests: 0 }
  let toolAnswers = 0
  let erasures = 0

  /** `owner`: the owner of the text; undefined if it has none and thus must contain no mark. */
  const check = (what: string, shown: string, owner: number | undefined): void => {
    const strangers = marksIn(shown).filter((mark) => mark !== owner)
    if (strangers.length > 0) leaks.push(`${what} of ${owner ?? 'nobody'} holds the words of ${strangers.join(', ')}`)
  }

  const propose = (owner: number): string =>
    JSON.stringify({
      proposals: [
        {
          target: oneOf(['user', 'memory'], random),
          op: { action: 'add', content: `${markOf(owner)} likes ${Math.floor(random() * 30)}` },
        },
      ].map((proposal) => ({ ...proposal, rationale: 'said', score: 0.9, evidence: [] })),
    })

  const callTool = (wish: string, owner: number): ModelAnswer | undefined => {
    const name = `skill-${owner}-${Math.floor(random() * 5)}`
    if (wish.includes('note')) {
      const input = { target: 'user', action: 'add', content: `${markOf(owner)} wants ${Math.floor(random() * 30)}` }
      return { type: 'tool-call', toolName: 'memory', input }
    }
    if (wish.includes('learn')) {
      const content = `---\nname: ${name}\ndescription: Of ${markOf(owner)}.\n---\n\n${markOf(owner)} does it so.\n`
      return { type: 'tool-call', toolName: 'skill_manage', input: { action: 'create', name, content } }
    }
    if (wish.includes('look')) return { type: 'tool-call', toolName: 'skills_list', input: {} }
    return wish.includes('read') ? { type: 'tool-call', toolName: 'skill_view', input: { name } } : undefined
  }

  const note = ({ purpose, system }: ModelCall, owner: number | undefined, isAnswer: boolean): void => {
    prompts[purpose === 'review' ? 'reviews' : 'turns']++
    if (owner === undefined) prompts.guests++
    if (marksIn(system).length > 0) prompts.withMemory++
    if (isAnswer) toolAnswers++
  }

  const answerTurn = (newest: string, owner: number | undefined, mayCall: boolean): ModelAnswer => {
    if (owner === undefined) return text('Hello.')
    return (mayCall ? callTool(newest, owner) : undefined) ?? text(`Yes, ${markOf(owner)}.`)
  }

  const modelOf =
    (toolLoop: boolean) =>
    async (call: ModelCall): Promise<ModelAnswer> => {
      const { purpose, system, messages } = call
      const said = messages.map((message) => message.text).join('\n')
      const newest = messages.findLast(({ role }) => role === 'user')?.text ?? ''
      // A review belongs to the owner of its text; a turn belongs to the owner of the newest message.
      const [owner] = marksIn(purpose === 'review' ? said : newest)
      const isAnswer = messages.at(-1)?.role === 'tool'
      check(purpose, `${system}\n${said}`, owner)
      note(call, owner, isAnswer)
      if (purpose === 'review') return text(owner === undefined ? '{"proposals":[]}' : propose(owner))
      return answerTurn(newest, owner, toolLoop && !isAnswer)
    }

  const hosts: { readonly host: AdapterHost; readonly entryPoint: EntryPoint; readonly conversations: Map<string, readonly unknown[]> }[] =
    []
  for (const entryPoint of entryPoints) {
    const conversations = new Map<string, readonly unknown[]>()
    const model = modelOf(entryPoint.toolLoop)
    // Never used: a host that has homes uses those.
    const hermes = homes.for('unused')
    const host = await entryPoint.create({ hermes, homes, model, instructions: INSTRUCTIONS, tools: {}, conversations })
    hosts.push({ host, entryPoint, conversations })
  }

  const talk = async (owner: number | undefined): Promise<void> => {
    const { host, conversations } = oneOf(
      hosts.filter(({ entryPoint }) => owner !== undefined || entryPoint.owners),
      random,
    )
    for (const [key, messages] of conversations) if (messages.length > CHAT_LENGTH) conversations.delete(key)
    const sessionId = owner === undefined ? `guest-${Math.floor(random() * 1e9)}` : `chat-${Math.floor(random() * SESSIONS)}`
    const wish = oneOf(['note', 'note', 'learn', 'look', 'read', 'talk', 'talk', 'talk'], random)
    const words = owner === undefined ? 'A guest says hello' : `${markOf(owner)} says: ${wish} ${Math.floor(random() * 1e6)}`
    const answer = await host.send(sessionId, words, owner === undefined ? {} : { owner: { user: ownerName(owner) } })
    check('answer', answer.text, owner)
  }

  const look = async (owner: number): Promise<void> => {
    const hermes = homes.for(ownerName(owner))
    const store = hermes.memoryStore()
    await store.load()
    check('memory', [...store.entries('memory'), ...store.entries('user')].join('\n'), owner)
    check('journal', JSON.stringify(await hermes.journal.list({ limit: 20 })), owner)
    check('pending', JSON.stringify(await hermes.pending.list()), owner)
    check('skills', JSON.stringify(await hermes.skillStore().list()), owner)
    check('prompt', await hermes.session(`look-${Math.floor(random() * 4)}`).systemBlock(), owner)
  }

  const change = async (owner: number): Promise<void> => {
    const store = homes.for(ownerName(owner)).memoryStore()
    await store.apply('memory', { action: 'add', content: `${markOf(owner)} was told ${Math.floor(random() * 30)}` })
  }

  const carry = async (owner: number): Promise<void> => {
    const hermes = homes.for(ownerName(owner))
    const exported = await hermes.export()
    if (!exported.ok) return
    check('export', gunzipSync(exported.value).toString('utf8'), owner)
    await hermes.import(exported.value)
  }

  const operate = async (): Promise<void> => {
    const owner = Math.floor(random() * OWNERS)
    const kind = random()
    if (kind < 0.53) return talk(owner)
    if (kind < 0.61) return talk(undefined)
    if (kind < 0.74) return look(owner)
    if (kind < 0.84) return change(owner)
    if (kind < 0.9) return carry(owner)
    if (kind < 0.96) return void (await homes.for(ownerName(owner)).forget(`was told ${Math.floor(random() * 30)}`))
    erasures++
    await homes.erase(ownerName(owner))
  }

  let operations = 0
  const work = async () => {
    while (operations < Number(count)) {
      operations++
      await operate()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  await homes.settled()
  await homes.close()
  const report: RunReport = { operations, leaks, prompts, toolAnswers, erasures }
  process.stdout.write(`${JSON.stringify(report)}\n`)
}
