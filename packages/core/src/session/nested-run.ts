/**
 * Distinguishes the user's own turns from runs that a tool starts inside a turn (a sub-agent, a chain): the prompt of such a run was written by the model, so
 * it is neither the user's words nor a turn. Pure; decides by the prompt and the tool calls that wait for a result.
 */
import { isOwnMessage, type TurnMessage } from '../proposal/turn-message.ts'
import { withoutSpace } from '../shared/without-space.ts'

/** A tool call as the model made it. Adapters report it, so that the tool and any run inside it can be attributed to its session. */
export interface ModelToolCall {
  readonly id: string
  /** The name under which the host offers the tool. */
  readonly name: string
  /** The arguments: an object, or its JSON text. */
  readonly input: unknown
  /** The prompt that the model answered: the same array that was given to `beginStep`. */
  readonly prompt: readonly TurnMessage[]
  /** The host's signal for the turn: an aborted turn waits for no tool. */
  readonly signal?: AbortSignal | undefined
}

const MAX_DEPTH = 8
const MAX_TEXTS = 50

const textsIn = (value: unknown, depth: number): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return []
  return Object.values(value).flatMap((each) => textsIn(each, depth + 1))
}

const parse = (input: unknown): unknown => {
  if (typeof input !== 'string') return input
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}

/** The texts in a call's arguments, trimmed; at most 50. Blank ones are skipped. */
export const argumentTexts = (input: unknown): readonly string[] =>
  textsIn(parse(input), 0)
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .slice(0, MAX_TEXTS)

/** As `argumentTexts`, and the arguments as one text, which a framework may pass on as they are. */
export const askedTexts = (input: unknown): readonly string[] =>
  typeof input === 'string' ? [...argumentTexts(input), JSON.stringify(parse(input))] : argumentTexts(input)

/** A model call that called tools whose results no later prompt has shown. */
export interface WaitingStep {
  /** The user's messages in its prompt, oldest first. */
  readonly said: readonly string[]
  /** Names of the tools whose results its prompt shows, after the newest of these messages. */
  readonly results: readonly string[]
  /** Names of the tools that were called, one for each call. */
  readonly toolNames: readonly string[]
  /** Every text in the arguments of the calls, trimmed. */
  readonly argumentTexts: readonly string[]
  /** False while the model call is running; the same prompt again is then a retry. */
  readonly complete: boolean
  /** The step is itself part of a nested run. */
  readonly nested: boolean
  /** What the model said beside the calls, without white space; empty while it is not known. */
  readonly replied: string
}

/** How a prompt relates to a waiting step: its next step or a retry; a run inside one of its tools; or unrelated. */
export type StepRelation = 'continues' | 'nested' | 'apart'

/**
 * Minimum length of an argument that marks a longer message containing it as written by the model (a template around the question). Shorter texts match by
 * chance.
 */
const MIN_QUOTED_CHARS = 12
/** Maximum characters of a message that are searched for an argument; pasted pages can make it long. */
const MAX_TEMPLATE_CHARS = 20_000

export const userTexts = (messages: readonly TurnMessage[]): readonly string[] =>
  messages.filter(isOwnMessage).map(({ text }) => text.trim())

/** Names of the tools whose results stand behind a message: the user's newest words, if it is not given. */
export const resultsIn = (prompt: readonly TurnMessage[], behind = prompt.findLastIndex(isOwnMessage)): readonly string[] =>
  prompt.slice(behind + 1).flatMap(({ role, toolNames = [] }) => (role === 'tool' ? toolNames : []))

/** True if the prompt shows a result of one of the step's tools. */
export const answersTool = (step: WaitingStep, prompt: readonly TurnMessage[]): boolean =>
  prompt
    .slice(prompt.findLastIndex(isOwnMessage) + 1)
    .some(
      ({ role, toolNames = [] }) => role === 'tool' && (toolNames.length === 0 || toolNames.some((name) => step.toolNames.includes(name))),
    )

const isMadeOfArgument = (step: WaitingStep, text: string): boolean => {
  const template = text.slice(0, MAX_TEMPLATE_CHARS)
  return step.argumentTexts.some((argument) => argument === text || (argument.length >= MIN_QUOTED_CHARS && template.includes(argument)))
}

export const sameTexts = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((text, index) => text === right[index])

/** Relates a prompt that repeats the user's newest words: the next step, a retry, or an agent that was given the same words. */
const relateSameWords = (step: WaitingStep, prompt: readonly TurnMessage[], said: readonly string[], newest: string): StepRelation => {
  if (answersTool(step, prompt)) return 'continues'
  const showsSameHistory = said.length > 1 && sameTexts(said, step.said)
  return step.complete && !showsSameHistory && step.argumentTexts.includes(newest) ? 'nested' : 'continues'
}

/**
 * True if the user goes on in the conversation of this step while its tool is open: what the agent really said there follows the step's question, or the newest
 * words replace it. Also if results of all its tools follow the question: no answer of the model need come after them. Anything else was written by the tool.
 */
const goesOnMeanwhile = (step: WaitingStep, prompt: readonly TurnMessage[]): boolean => {
  const earlier = prompt.slice(0, prompt.findLastIndex(isOwnMessage))
  const question = step.said.at(-1)
  const at = earlier.findLastIndex((message) => isOwnMessage(message) && message.text.trim() === question)
  if (at < 0) return userTexts(earlier).some((text) => step.said.includes(text))
  const known = (names: readonly string[]) => names.filter((name) => step.toolNames.includes(name)).length
  if (step.complete && known(resultsIn(earlier, at)) >= known(step.results) + step.toolNames.length) return true
  return earlier.slice(at + 1).some(({ role, text }) => {
    const shown = withoutSpace(text)
    return role === 'assistant' && shown !== '' && step.replied.startsWith(shown)
  })
}

/** Relates a prompt to a step of the same session. */
export const relateToStep = (step: WaitingStep, prompt: readonly TurnMessage[]): StepRelation => {
  const said = userTexts(prompt)
  const newest = said.at(-1)
  if (newest === undefined) return answersTool(step, prompt) ? 'continues' : 'nested'
  if (newest === step.said.at(-1)) return relateSameWords(step, prompt, said, newest)
  if (step.argumentTexts.includes(newest)) return 'nested'
  // What a tool inside a tool asks is told from the user's words by the outer step.
  return step.nested || goesOnMeanwhile(step, prompt) ? 'apart' : 'nested'
}

/** For a step of another session of the home: true only if one of its calls contains the question. */
export const isAskedBy = (step: WaitingStep, prompt: readonly TurnMessage[]): boolean => {
  const newest = userTexts(prompt).at(-1)
  return newest !== undefined && !step.said.includes(newest) && isMadeOfArgument(step, newest)
}
