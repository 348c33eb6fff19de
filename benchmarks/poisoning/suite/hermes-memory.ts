/** Hermes as a memory of `@hermes/testing/poisoning`, on each of the ways in which a host may report a conversation. */
import { createHermes, type Hermes, type HostModel, inMemoryBackend, type TrustLevel, type TurnMessage } from '@hermes/core'
import type { CreatePoisonedMemory, OutsideText, PoisonedModel, PoisoningTurn, StoredNote } from '@hermes/testing/poisoning'
import { claudeTurns } from '../../../packages/coding-agents/src/claude-code/transcript.ts'
import { requestText } from '../review-request.ts'
import { readState } from '../stored-state.ts'

/** `turns`: complete turns. `steps`: as an adapter, with a summary that nothing marks. `Claude Code`: rows of its transcript. */
export const HOSTS = ['turns', 'steps', 'Claude Code'] as const
export type HostKind = (typeof HOSTS)[number]

const START = Date.UTC(2026, 0, 5, 9)
const SECOND_MS = 1_000

const reviewer =
  (model: PoisonedModel): HostModel =>
  async (request) => {
    const note = model(requestText(request))
    if (note === undefined) return '{"proposals":[]}'
    const { target, content, replaces, quote } = note
    const op = replaces === undefined ? { action: 'add', content } : { action: 'replace', oldText: replaces, content }
    const evidence = quote === undefined ? [] : [{ quote }]
    return JSON.stringify({ proposals: [{ target, op, rationale: 'It lasts.', score: 1, evidence }] })
  }

const isTool = ({ kind }: OutsideText): boolean => kind === 'tool result' || kind === 'tool error' || kind === 'sub-agent'

const resultOf = ({ kind, name, text }: OutsideText): readonly TurnMessage[] => [
  { role: 'assistant', text: '', toolNames: [name] },
  { role: 'tool', text: kind === 'tool error' ? `Error: ${text}` : text, toolNames: [name] },
]

/** Files, pictures and what a program adds are parts of the user's message. */
const partOf = ({ kind, name, text }: OutsideText): TurnMessage => ({ role: 'user', text: `[${kind}: ${name}]\n${text}`, outside: true })

const messagesOf = ({ user, outside, answer }: PoisoningTurn) => {
  const parts = outside.filter((each) => !isTool(each)).map(partOf)
  const results = outside.filter(isTool).flatMap(resultOf)
  return [{ role: 'user' as const, text: user }, ...parts, ...results, { role: 'assistant' as const, text: answer }]
}

type Session = ReturnType<Hermes['session']>

const playTurns = (session: Session) => (turn: PoisoningTurn) =>
  session.recordTurn({ messages: messagesOf(turn), toolIterations: turn.outside.filter(isTool).length })

const playSteps = (session: Session) => {
  let history: readonly TurnMessage[] = []
  return (turn: PoisoningTurn): void => {
    const summaries = turn.outside.filter(({ kind }) => kind === 'summary').map(({ text }): TurnMessage => ({ role: 'user', text }))
    const all = messagesOf({ ...turn, outside: turn.outside.filter(({ kind }) => kind !== 'summary') })
    const opening = all.filter(({ role }, at) => role === 'user' && all.slice(0, at).every((each) => each.role === 'user'))
    let prompt: readonly TurnMessage[] = [...history, ...summaries, ...opening]
    for (let at = opening.length; at < all.length; at++) {
      const message = all[at] as TurnMessage
      if (message.role === 'tool') prompt = [...prompt, message]
      else {
        const calledTools = message.toolNames !== undefined
        session.beginStep(prompt)
        session.endStep({ prompt, turnFinished: !calledTools, calledTools, reply: [message] })
        prompt = [...prompt, message]
      }
    }
    history = prompt
  }
}

let rows = 0

const rowOf = (type: string, content: unknown, more: object = {}) => ({
  type,
  uuid: `r${++rows}`,
  parentUuid: 'r',
  message: { content, id: `m${rows}` },
  ...more,
})

const claudeRows = ({ user, outside, answer }: PoisoningTurn): readonly unknown[] => {
  const rowsOf = ({ kind, name, text }: OutsideText): readonly unknown[] => {
    if (kind === 'hook') return [{ type: 'attachment', parentUuid: 'r', attachment: { type: 'hook_additional_context', content: [text] } }]
    if (kind === 'summary') return [rowOf('user', text, { isCompactSummary: true })]
    if (kind === 'file' || kind === 'picture')
      return [{ type: 'attachment', parentUuid: 'r', attachment: { type: 'file', filename: name, content: text } }]
    const id = `t${++rows}`
    const error = kind === 'tool error' ? { is_error: true } : {}
    const use = { type: 'tool_use', id, name, input: {} }
    return [rowOf('assistant', [use]), rowOf('user', [{ type: 'tool_result', tool_use_id: id, content: text, ...error }])]
  }
  return [rowOf('user', user), ...outside.flatMap(rowsOf), rowOf('assistant', [{ type: 'text', text: answer }])]
}

const playClaude = (session: Session) => {
  return (turn: PoisoningTurn): void => {
    for (const { messages, toolIterations } of claudeTurns(claudeRows(turn), () => false).turns)
      session.recordTurn({ messages, toolIterations })
  }
}

const PLAYERS = { turns: playTurns, steps: playSteps, 'Claude Code': playClaude } as const

const AUTHORITY = { user: 'user', external: 'user', host: 'user', assistant: 'agent', tool: 'outside' } as const

const notesOf = async (hermes: Hermes): Promise<readonly StoredNote[]> => {
  const { entries, skillTexts } = await readState(hermes)
  const held = await hermes.pending.list()
  if (!held.ok) throw held.error
  return [
    ...entries.map(({ text, origin }): StoredNote => ({ text, authority: AUTHORITY[origin as keyof typeof AUTHORITY] })),
    ...skillTexts.map((text): StoredNote => ({ text, authority: 'agent' })),
    ...held.value.map((proposal): StoredNote => ({ text: JSON.stringify(proposal), authority: 'held' })),
  ]
}

const archiveWith = async (target: 'memory' | 'user', content: string): Promise<Uint8Array> => {
  const other = createHermes({ storage: inMemoryBackend() })
  const written = await other.memory.add(target, content, { by: 'user' })
  const exported = await other.export()
  await other.close()
  if (!written.ok) throw written.error
  if (!exported.ok) throw exported.error
  return exported.value
}

/** `trust`: the level of the home. */
export const hermesMemory =
  (host: HostKind, trust: TrustLevel): CreatePoisonedMemory =>
  (model) => {
    let now = START
    const hermes = createHermes({
      storage: inMemoryBackend(),
      trust,
      nudge: { memoryInterval: 1, skillInterval: 0 },
      clock: () => (now += SECOND_MS),
      review: { model: reviewer(model) },
      onEvent: () => undefined,
    })
    return {
      async open(_, number) {
        const session = hermes.session(`chat-${number}`)
        const play = PLAYERS[host](session)
        return {
          shown: await session.systemBlock(),
          play: async (turn) => {
            play(turn)
            await hermes.settled()
          },
          end: async () => {
            await session.end()
          },
        }
      },
      async import({ target, content }) {
        const imported = await hermes.import(await archiveWith(target, content), { trusted: false })
        if (!imported.ok) throw imported.error
      },
      notes: () => notesOf(hermes),
      dispose: () => hermes.close(),
    }
  }
