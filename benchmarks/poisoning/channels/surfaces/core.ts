/** The session of core as a host uses it: step by step like an adapter, or one complete turn at a time. */
import { createHermes, type Session, type TurnMessage } from '@hermes/core'
import { type Knowledge, plainText, textsOfHost } from '../knowledge.ts'
import type { Attachment, HostTool, NestedCall, Scene, Step, Turn, UserMessage, WindowMessage } from '../scene.ts'
import { nextId, type PlayOn, SESSION_ID } from './surface.ts'

const said = (text: string): TurnMessage => ({ role: 'assistant', text })
const called = (name: string): TurnMessage => ({ role: 'assistant', text: '', toolNames: [name] })
const answered = (name: string, text: string): TurnMessage => ({ role: 'tool', text, toolNames: [name] })
const attached = ({ name, mediaType, text = '' }: Attachment): TurnMessage => ({
  role: 'user',
  text: `[file: ${name}, ${mediaType}]\n${text}`,
  outside: true,
})

const inWindow = (message: WindowMessage): readonly TurnMessage[] => {
  if (message.role === 'tool') return [called(message.name), answered(message.name, message.text)]
  return [{ role: message.role, text: message.text }]
}

const ofUser = ({ text, attachments = [] }: UserMessage): readonly TurnMessage[] => [{ role: 'user', text }, ...attachments.map(attached)]

interface Running {
  readonly session: Session
  readonly scene: Scene
  readonly knowledge: Knowledge
  /** False for a host that reports complete turns only. */
  readonly bySteps: boolean
}

const runTool = async (running: Running, tool: HostTool): Promise<string> => {
  try {
    return await tool.run((call) => playNested(running, call))
  } catch (cause) {
    return `Error: ${cause instanceof Error ? cause.message : String(cause)}`
  }
}

const resultOf = async (running: Running, { name, input }: Extract<Step, { kind: 'call' }>, id: string, prompt: readonly TurnMessage[]) => {
  const { session, scene } = running
  const tool = scene.tools?.find((each) => each.name === name)
  if (tool !== undefined) return runTool(running, tool)
  const own = scene.ownTools === false ? undefined : session.offerTools().find((each) => each.name === name)
  return own === undefined ? `There is no tool ${name}.` : JSON.stringify(await own.execute(input, { messages: prompt, toolCallId: id }))
}

const nameOfResult = ({ scene }: Running, call: string): string => scene.tools?.find(({ name }) => name === call)?.answersAs ?? call

const providerAnswer = ({ name, result, text }: Extract<Step, { kind: 'provider-call' }>): readonly TurnMessage[] => [
  called(name),
  answered(name, result),
  said(text),
]

const replyOf = (step: Step): readonly TurnMessage[] => {
  if (step.kind === 'call') return [called(step.name)]
  if (step.kind === 'provider-call') return providerAnswer(step)
  const sources = step.sources?.map((title): TurnMessage => ({ role: 'tool', text: `[source: ${title}]` })) ?? []
  return [...sources, said(step.text)]
}

/** What the model is shown. A host that reports complete turns only does not recall. */
const requestOf = async ({ session, scene, bySteps }: Running, prompt: readonly TurnMessage[]): Promise<unknown> => [
  textsOfHost(scene),
  await session.systemBlock(),
  prompt.map(({ text }) => text),
  bySteps ? await session.recall(prompt) : [],
]

/** Plays the steps and returns the messages behind the prompt. */
const playSteps = async (running: Running, start: readonly TurnMessage[], steps: readonly Step[]): Promise<readonly TurnMessage[]> => {
  const { session, knowledge, bySteps } = running
  let prompt = start
  for (const scripted of steps) {
    const asked = prompt
    knowledge.see(plainText(await requestOf(running, asked)))
    const step = knowledge.stepOf(scripted)
    if (bySteps) session.beginStep(asked)
    const reply = replyOf(step)
    const id = step.kind === 'call' ? (step.id ?? nextId()) : ''
    if (bySteps && step.kind === 'call') session.noteToolCall({ id, name: step.name, input: step.input, prompt: asked })
    if (bySteps) session.endStep({ prompt: asked, turnFinished: step.kind !== 'call', calledTools: step.kind !== 'say', reply })
    prompt = [...asked, ...reply]
    if (step.kind !== 'call') break
    prompt = [...prompt, answered(nameOfResult(running, step.name), await resultOf(running, step, id, asked))]
  }
  return prompt.slice(start.length)
}

const playNested = async (running: Running, { messages, steps }: NestedCall): Promise<string> => {
  const last = steps.at(-1)
  if (running.bySteps) await playSteps(running, messages.flatMap(inWindow), steps)
  return last?.kind === 'call' || last === undefined ? '' : last.text
}

const playTurn = async (running: Running, history: readonly TurnMessage[], turn: Turn): Promise<readonly TurnMessage[]> => {
  const { session, bySteps } = running
  const arrived = [...(turn.window ?? []).flatMap(inWindow), ...ofUser(turn.user)]
  const prompt = [...(turn.forgets ? [] : history), ...arrived]
  const added = await playSteps(running, prompt, turn.steps)
  const toolIterations = turn.steps.filter(({ kind }) => kind === 'call').length
  if (!bySteps) session.recordTurn({ messages: [...arrived, ...added], toolIterations })
  return [...prompt, ...added]
}

const playCore =
  (bySteps: boolean): PlayOn =>
  async ({ scene, knowledge, options, begin }) => {
    const hermes = createHermes(options)
    await begin(hermes)
    const session = hermes.session(SESSION_ID)
    if (scene.ownTools !== false) session.offerTools()
    await session.systemBlock()
    let history: readonly TurnMessage[] = []
    for (const turn of scene.turns) {
      await turn.meanwhile?.(hermes)
      history = await playTurn({ session, scene, knowledge, bySteps }, history, turn)
      await hermes.settled()
    }
    return hermes
  }

export const coreSteps: PlayOn = playCore(true)
export const coreTurns: PlayOn = playCore(false)
