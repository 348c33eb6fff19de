/** Plays one session like an adapter that sees every model call: the prompt before each call, the reply after it. */

import type { Hermes, HostModel, Session, TurnMessage } from '@hermes/core'
import { estimateTokens } from '@hermes/core/review'
import type { ScenarioSession, ScenarioStep, ScenarioTurn } from './scenario.ts'

export interface Host {
  readonly hermes: Hermes
  /** The model that reviews the conversations. */
  readonly model: HostModel
  /** Called with the estimated tokens (prompt and answer) of each call of the host's model. */
  readonly addTokens: (tokens: number) => void
  readonly passMinutes: (minutes: number) => void
  readonly signal: AbortSignal | undefined
}

const toEvents = (turn: ScenarioTurn) => ('user' in turn ? turn : { user: turn[0], steps: [], answer: turn[1] })

const tokensOf = (messages: readonly TurnMessage[]): number => messages.reduce((sum, { text }) => sum + estimateTokens(text), 0)

let calls = 0

interface Call {
  readonly id: string
  readonly name: string
  readonly input: unknown
  readonly answer: (prompt: readonly TurnMessage[]) => Promise<string>
}

const toCall = (step: ScenarioStep, session: Session): Call => {
  const id = `call-${++calls}`
  if (!('remember' in step)) return { id, name: step[0], input: {}, answer: async () => step[1] }
  const [target, content] = step.remember
  const input = { action: 'add', target, content }
  const tool = session.offerTools().find(({ name }) => name === 'memory')
  return { id, name: 'memory', input, answer: async (messages) => JSON.stringify(await tool?.execute(input, { messages, toolCallId: id })) }
}

/** Plays one user turn; returns the conversation after it. */
const playTurn = async (
  { model, addTokens, passMinutes }: Host,
  session: Session,
  history: readonly TurnMessage[],
  turn: ScenarioTurn,
): Promise<readonly TurnMessage[]> => {
  const { user, steps, answer } = toEvents(turn)
  const systemTokens = estimateTokens(await session.systemBlock())
  let prompt: readonly TurnMessage[] = [...history, { role: 'user', text: user }]
  const endStep = (reply: TurnMessage, turnFinished: boolean): void => {
    addTokens(systemTokens + tokensOf(prompt) + tokensOf([reply]))
    session.endStep({ prompt, turnFinished, calledTools: !turnFinished, reply: [reply], model })
    prompt = [...prompt, reply]
  }
  for (const step of steps) {
    const { id, name, input, answer: run } = toCall(step, session)
    session.beginStep(prompt)
    session.noteToolCall({ id, name, input, prompt })
    endStep({ role: 'assistant', text: '', toolNames: [name] }, false)
    prompt = [...prompt, { role: 'tool', text: await run(prompt), toolNames: [name] }]
  }
  session.beginStep(prompt)
  endStep({ role: 'assistant', text: answer }, true)
  passMinutes(1)
  await session.settled()
  return prompt
}

/** Waits for background work to finish. Rejects with the signal's reason on abort. */
export const playSession = async (host: Host, id: string, { turns, ends, window }: ScenarioSession): Promise<void> => {
  const session = host.hermes.session(id)
  // Hosts offer the tools before the first prompt.
  void session.offerTools()
  let history: readonly TurnMessage[] = []
  for (const turn of turns) {
    host.signal?.throwIfAborted()
    history = await playTurn(host, session, window === undefined ? history : history.slice(-window), turn)
  }
  if (ends !== undefined) await session.end(ends === 'quit' ? { minTurns: 1 } : {})
  await host.hermes.settled()
}
