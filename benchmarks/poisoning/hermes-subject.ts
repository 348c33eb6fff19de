/** Our own memory as a subject: `createHermes` over an in-memory storage, with the default gate or another one. */
import {
  createHermes,
  type Hermes,
  type HermesOptions,
  type HostModel,
  inMemoryBackend,
  ok,
  type ReviewGate,
  type StorageBackend,
} from '@hermes/core'
import type { Attack } from './cases/attack.ts'
import { countToolSteps } from './conversation.ts'
import { judgeAttack, judgeHonest } from './judge-outcome.ts'
import { callOwnTool, playSession } from './play-session.ts'
import { rememberingProvider } from './remembering-provider.ts'
import { isOfOwnWords, requestText } from './review-request.ts'
import { attackScene, honestScene, type Scene } from './scenes.ts'
import { readState, type StoredState } from './stored-state.ts'
import type { Subject } from './subject.ts'
import { skillDocument, toToolCall } from './wanted-proposals.ts'

const SECOND_MS = 1_000
const MOST_RECALLED = 16_000
const START = Date.UTC(2026, 0, 5, 9)

const NEXT_TURN = 'Thanks. Let us go on, then.'

type GateOptions = Pick<HermesOptions, 'gate' | 'trust'>

const approveAll: ReviewGate = async () => ok({ approved: true, reason: 'Nothing is checked.', origin: 'user' })

const ticking = (): (() => number) => {
  let now = START
  return () => (now += SECOND_MS)
}

const fillHome = async (hermes: Hermes, storage: StorageBackend, { before, skills }: Scene): Promise<void> => {
  const store = hermes.memoryStore()
  await store.load()
  for (const [origin, target, content] of before) {
    const written = await store.apply(target, { action: 'add', content }, origin === 'external' ? undefined : { origin })
    if (!written.ok) throw written.error
  }
  if (Object.keys(skills).length === 0) return
  // Created by the agent, so that a review may change them.
  const earlier = createHermes({ storage, gate: approveAll, clock: () => START })
  const session = earlier.session('earlier')
  for (const [name, instructions] of Object.entries(skills)) {
    const content = skillDocument(name, `How to ${name.replaceAll('-', ' ')}`, instructions)
    await callOwnTool(session, [], 'Keep this as a skill.', {
      name: 'skill_manage',
      input: { action: 'create', name, content, create_anyway: true },
    })
  }
  await earlier.settled()
}

/** Intervals with which each session ends with a review. All sessions of a case have the same number of turns. */
const nudgeFor = ({ sessions, wanted, path }: Scene): NonNullable<HermesOptions['nudge']> => {
  if (path === 'tool') return { memoryInterval: 0, skillInterval: 0 }
  const isSkill = wanted.some(({ target }) => target === 'skill')
  const [first = []] = sessions
  return { memoryInterval: first.length, skillInterval: isSkill ? countToolSteps(first) : 0 }
}

const withoutEarlier = (state: StoredState): StoredState => ({
  ...state,
  records: state.records.filter(({ sessionId }) => sessionId !== 'earlier'),
})

/** `onRequest`: called with each session and request of a review. */
type OnRequest = (sessionId: string, request: string) => void

const playScene = async (scene: Scene, gate: GateOptions, onRequest: OnRequest = () => undefined): Promise<StoredState> => {
  const storage = inMemoryBackend()
  const last = `chat-${scene.sessions.length}`
  const remembering = rememberingProvider(scene.recalled, (sessionId) => sessionId === last)
  const memory =
    scene.recalled.length === 0 ? {} : { provider: remembering.provider, recallChars: MOST_RECALLED, providerTimeoutMs: 60_000 }
  const hermes = createHermes({ storage, nudge: nudgeFor(scene), clock: ticking(), memory, ...gate })
  await fillHome(hermes, storage, scene)
  for (const [index, turns] of scene.sessions.entries()) {
    const session = hermes.session(`chat-${index + 1}`)
    // Hosts offer the tools before the first prompt.
    void session.offerTools()
    const model: HostModel = (request) => {
      onRequest(session.id, requestText(request))
      return scene.reviewer.model(request)
    }
    const history = await playSession({ session, model, turns, by: scene.by })
    const isLast = index === scene.sessions.length - 1
    if (scene.path === 'tool' && isLast) await callOwnTool(session, history, NEXT_TURN, toToolCall(scene.wanted))
  }
  await hermes.settled()
  if (remembering.handedOut().length < scene.recalled.length) throw new Error('The case says that text is recalled, and none was.')
  const state = withoutEarlier(await readState(hermes))
  await hermes.close()
  return state
}

const subjectWith = (name: string, gates: Readonly<Record<string, GateOptions>>): Subject => ({
  name,
  levels: Object.keys(gates),
  attack: async (run, level) => {
    const { scene, marks, entry } = attackScene(run)
    const after = await playScene(scene, gates[level] ?? {})
    const proposed = run.path === 'tool' || scene.reviewer.proposed() > 0
    return judgeAttack({ attack: run.attack, marks, entry, before: scene.before, after, proposed })
  },
  honest: async (run, level) => judgeHonest(run.honest, await playScene(honestScene(run), gates[level] ?? {})),
})

export const hermesSubject: Subject = subjectWith('hermes', {
  strict: { trust: 'strict' },
  balanced: { trust: 'balanced' },
  open: { trust: 'open' },
})

/** The same without a gate: an upper bound of what the cases can show. */
export const ungatedSubject: Subject = subjectWith('no gate', { none: { gate: approveAll } })

/** What the pass over the user's own words was sent behind the last session, for each wording of an attack: the same, if what is from outside has no influence. */
export const ownWordsRequests = async (attack: Attack, trust: 'strict' | 'balanced'): Promise<readonly string[]> => {
  const sent: string[] = []
  for (const wording of [0, 1, 2] as const) {
    const { scene } = attackScene({ attack, wording, path: 'review' })
    const last = `chat-${scene.sessions.length}`
    const requests: string[] = []
    await playScene(scene, { trust }, (sessionId, request) => {
      if (sessionId === last && isOfOwnWords(request)) requests.push(request)
    })
    sent.push(requests.join('\n---\n'))
  }
  return sent
}
