/**
 * Tells the user's own turns from runs that a tool starts inside a turn (a sub-agent, a chain): their prompt is a question that the model wrote, so it is
 * neither the user's words nor a turn. Pure; decided by the prompt and the tool calls that are waiting for a result.
 */
import { isOwnMessage, type TurnMessage } from '../proposal/turn-message.ts'

// A tool call as the model made it. Adapters report it, so that the tool and whatever runs inside it can be told whose work it is.

export interface ModelToolCall {
  readonly id: string
  /** The name under which the host offers the tool. */
  readonly name: string
  /** The arguments: an object, or its JSON text. */
  readonly input: unknown
  /** The prompt that the model answered, the same array as given to `beginStep`. */
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

/** The texts in a call's arguments, trimmed; at most 50. Blank ones are left out. */
export const argumentTexts = (input: unknown): readonly string[] =>
  textsIn(parse(input), 0)
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .slice(0, MAX_TEXTS)

/** A model call that asked for tools whose results no later prompt has shown. */
export interface WaitingStep {
  /** The user's messages in its prompt, oldest first. */
  readonly said: readonly string[]
  /** Names of the tools that were called. */
  readonly toolNames: readonly string[]
  /** Every text in the arguments of the calls, trimmed. */
  readonly argumentTexts: readonly string[]
  /** The model call is complete; until then the same prompt again is a retry. */
  readonly complete: boolean
  /** The step is itself part of a nested run. */
  readonly nested: boolean
}

/** How a prompt relates to a waiting step: its next step or a retry; a run inside one of its tools; or neither. */
export type StepRelation = 'continues' | 'nested' | 'apart'

/** An argument this long that stands in a longer message makes the message the model's: a template around the question. Shorter ones occur by chance. */
const MIN_QUOTED_CHARS = 12
/** A template is searched this far; pages that are pasted behind the question make it long. */
const MAX_TEMPLATE_CHARS = 20_000

export const userTexts = (messages: readonly TurnMessage[]): readonly string[] =>
  messages.filter(isOwnMessage).map(({ text }) => text.trim())

/** Does the prompt show what a tool of the step answered? */
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

/** The user's newest words once more: the next step, a retry, or an agent that was handed these very words. */
const relateSameWords = (step: WaitingStep, prompt: readonly TurnMessage[], said: readonly string[], newest: string): StepRelation => {
  if (answersTool(step, prompt)) return 'continues'
  const showsSameHistory = said.length > 1 && sameTexts(said, step.said)
  return step.complete && !showsSameHistory && step.argumentTexts.includes(newest) ? 'nested' : 'continues'
}

/** For a step of the same session. */
export const relateToStep = (step: WaitingStep, prompt: readonly TurnMessage[]): StepRelation => {
  const said = userTexts(prompt)
  const newest = said.at(-1)
  if (newest === undefined) return answersTool(step, prompt) ? 'continues' : 'nested'
  if (newest === step.said.at(-1)) return relateSameWords(step, prompt, said, newest)
  if (step.argumentTexts.includes(newest)) return 'nested'
  const showsConversation = said.some((text) => step.said.includes(text))
  if (showsConversation) return 'apart'
  if (isMadeOfArgument(step, newest)) return 'nested'
  // The host shows its history, and this prompt has nothing of it.
  return !step.nested && step.said.length > 1 ? 'nested' : 'apart'
}

/** For a step of another session of the home: only a question that one of its calls holds is known to come from there. */
export const isAskedBy = (step: WaitingStep, prompt: readonly TurnMessage[]): boolean => {
  const newest = userTexts(prompt).at(-1)
  return newest !== undefined && !step.said.includes(newest) && isMadeOfArgument(step, newest)
}
