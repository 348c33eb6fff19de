/** What callers without types pass to a session: nothing of it may throw in the middle of their turn. Pure. */
import type { TurnMessage } from '../proposal/turn-message.ts'
import { HermesError } from '../shared/hermes-error.ts'
import type { CompletedTurn, StepEnd } from './session.ts'

const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'tool'])

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isMessage = (value: unknown): value is TurnMessage => {
  if (!isObject(value)) return false
  const { role, text, toolNames }: Partial<Record<keyof TurnMessage, unknown>> = value
  const namesFit = toolNames === undefined || (Array.isArray(toolNames) && toolNames.every((name) => typeof name === 'string'))
  return ROLES.has(role) && typeof text === 'string' && namesFit
}

const areMessages = (value: unknown): boolean => Array.isArray(value) && value.every(isMessage)

const isModel = (value: unknown): boolean => value === undefined || typeof value === 'function'

const invalid = (message: string): HermesError => new HermesError('invalid', `${message} Nothing was counted.`)

const MESSAGES = "a list of messages, each with a 'role' of user, assistant or tool and a 'text'"

/** What is wrong with a prompt; undefined where nothing is. */
export const problemOfPrompt = (prompt: readonly TurnMessage[]): HermesError | undefined =>
  areMessages(prompt) ? undefined : invalid(`The prompt must be ${MESSAGES}.`)

export const problemOfStep = (step: StepEnd): HermesError | undefined => {
  if (!isObject(step)) return invalid('endStep takes an object that says what the step ended with.')
  const { prompt, reply, turnFinished, calledTools, model } = step
  if (typeof turnFinished !== 'boolean' || typeof calledTools !== 'boolean')
    return invalid("'turnFinished' and 'calledTools' must be true or false.")
  if (!areMessages(reply)) return invalid(`'reply' must be ${MESSAGES}.`)
  if (prompt !== undefined && !areMessages(prompt)) return invalid(`'prompt' must be ${MESSAGES}.`)
  return isModel(model) ? undefined : invalid("'model' must be a function.")
}

export const problemOfTurn = (turn: CompletedTurn): HermesError | undefined => {
  if (!isObject(turn)) return invalid('recordTurn takes an object that holds the messages of the turn.')
  const { messages, toolIterations = 0, model } = turn
  if (!areMessages(messages)) return invalid(`'messages' must be ${MESSAGES}.`)
  if (!Number.isSafeInteger(toolIterations) || toolIterations < 0) return invalid("'toolIterations' must be a whole number, 0 or more.")
  return isModel(model) ? undefined : invalid("'model' must be a function.")
}
