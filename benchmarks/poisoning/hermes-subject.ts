/** Our own memory as a subject: `createHermes` over an in-memory storage, with the default gate or another one. */
import { createHermes, type Hermes, type HermesOptions, inMemoryBackend, ok, type ReviewGate, type StorageBackend } from '@hermes/core'
import { countToolSteps } from './conversation.ts'
import { judgeAttack, judgeHonest } from './judge-outcome.ts'
import { callOwnTool, playSession } from './play-session.ts'
import { attackScene, honestScene, type Scene } from './scenes.ts'
import { readState, type StoredState } from './stored-state.ts'
import type { Subject } from './subject.ts'
import { skillDocument, toToolCall } from './wanted-proposals.ts'

const SECOND_MS = 1_000
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

const playScene = async (scene: Scene, gate: GateOptions): Promise<StoredState> => {
  const storage = inMemoryBackend()
  const hermes = createHermes({ storage, nudge: nudgeFor(scene), clock: ticking(), ...gate })
  await fillHome(hermes, storage, scene)
  for (const [index, turns] of scene.sessions.entries()) {
    const session = hermes.session(`chat-${index + 1}`)
    // Hosts offer the tools before the first prompt.
    void session.offerTools()
    const history = await playSession({ session, model: scene.reviewer.model, turns, by: scene.by })
    const isLast = index === scene.sessions.length - 1
    if (scene.path === 'tool' && isLast) await callOwnTool(session, history, NEXT_TURN, toToolCall(scene.wanted))
  }
  await hermes.settled()
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
