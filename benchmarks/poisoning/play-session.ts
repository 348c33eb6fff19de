/** Plays the turns of a conversation on a session, like an adapter that sees every model call or like a host that records complete turns. */
import type { HostModel, Session, TurnMessage } from '@hermes/core'
import { countToolSteps, type NestedRun, type SessionTurns, type Turn, type TurnEvent } from './conversation.ts'

const said = (text: string): TurnMessage => ({ role: 'assistant', text })
const called = (name: string): TurnMessage => ({ role: 'assistant', text: '', toolNames: [name] })
const answered = (name: string, text: string): TurnMessage => ({ role: 'tool', text, toolNames: [name] })

let calls = 0

interface StepsOptions {
  readonly session: Session
  readonly model: HostModel
  readonly nested: boolean
}

const playNested = (options: StepsOptions, { question, events }: NestedRun): void => {
  playEvents({ ...options, nested: true }, [{ role: 'user', text: question }], events)
}

/** Plays the events and returns the prompt after the last one. */
const playEvents = (options: StepsOptions, start: readonly TurnMessage[], events: readonly TurnEvent[]): readonly TurnMessage[] => {
  const { session, model, nested } = options
  let prompt = start
  for (const [index, event] of events.entries()) {
    session.beginStep(prompt, nested ? { nested } : {})
    const turnFinished = index === events.length - 1
    if (event.kind === 'say') {
      session.endStep({ prompt, turnFinished, calledTools: false, reply: [said(event.text)], model })
      prompt = [...prompt, said(event.text)]
      continue
    }
    const input = { input: event.nested.map(({ question }) => question) }
    session.noteToolCall({ id: `call-${++calls}`, name: event.name, input, prompt })
    session.endStep({ prompt, turnFinished: false, calledTools: true, reply: [called(event.name)], model })
    for (const run of event.nested) playNested(options, run)
    prompt = [...prompt, called(event.name), answered(event.name, event.result)]
  }
  return prompt
}

const messagesOf = ({ user, events }: Turn): readonly TurnMessage[] => [
  ...user,
  ...events.flatMap((event) => (event.kind === 'say' ? [said(event.text)] : [called(event.name), answered(event.name, event.result)])),
]

export interface PlayOptions {
  readonly session: Session
  readonly model: HostModel
  readonly turns: SessionTurns
  /** `steps`: every model call is reported. `turns`: only complete turns are recorded, without runs inside tools. */
  readonly by: 'steps' | 'turns'
}

/** Waits after each turn for a review that it may start. Resolves to the conversation of the host. */
export const playSession = async ({ session, model, turns, by }: PlayOptions): Promise<readonly TurnMessage[]> => {
  let history: readonly TurnMessage[] = []
  await session.systemBlock()
  for (const turn of turns) {
    if (by === 'steps') {
      const prompt = [...history, ...turn.user]
      await session.recall(prompt)
      history = playEvents({ session, model, nested: false }, prompt, turn.events)
    } else {
      session.recordTurn({ messages: messagesOf(turn), toolIterations: countToolSteps([turn]), model })
      history = [...history, ...messagesOf(turn)]
    }
    await session.settled()
  }
  return history
}

/** Plays another turn, in which the agent calls a tool of the session. */
export const callOwnTool = async (
  session: Session,
  history: readonly TurnMessage[],
  userText: string,
  tool: { readonly name: string; readonly input: unknown },
): Promise<void> => {
  const definition = session.offerTools().find(({ name }) => name === tool.name)
  if (definition === undefined) throw new TypeError(`The session offers no tool '${tool.name}'.`)
  const prompt: readonly TurnMessage[] = [...history, { role: 'user', text: userText }]
  const id = `call-${++calls}`
  await session.recall(prompt)
  session.beginStep(prompt)
  session.noteToolCall({ id, name: tool.name, input: tool.input, prompt })
  session.endStep({ prompt, turnFinished: false, calledTools: true, reply: [called(tool.name)] })
  const result = await definition.execute(tool.input, { messages: prompt, toolCallId: id })
  const next = [...prompt, called(tool.name), answered(tool.name, JSON.stringify(result))]
  session.beginStep(next)
  session.endStep({ prompt: next, turnFinished: true, calledTools: false, reply: [said('Done.')] })
  await session.settled()
}
