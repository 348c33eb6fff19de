/** Checks what untyped callers pass, so that nothing throws in the middle of their turn. */
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

export const areMessages = (value: unknown): boolean => Array.isArray(value) && value.every(isMessage)

const isModel = (value: unknown): boolean => value === undefined || typeof value === 'function'

export const misuse = (message: string): HermesError => new HermesError('invalid', `${message} Nothing was counted.`)

export const MESSAGES_WANTED = "a list of messages, each with a 'role' of user, assistant or tool and a 'text'"

/** What is wrong with a prompt; undefined if it is valid. */
export const problemOfPrompt = (prompt: readonly TurnMessage[]): HermesError | undefined =>
  areMessages(prompt) ? undefined : misuse(`The prompt must be ${MESSAGES_WANTED}.`)

export const problemOfStep = (step: StepEnd): HermesError | undefined => {
  if (!isObject(step)) return misuse('endStep takes an object that says what the step ended with.')
  const { prompt, reply, turnFinished, calledTools, model } = step
  if (typeof turnFinished !== 'boolean' || typeof calledTools !== 'boolean')
    return misuse("'turnFinished' and 'calledTools' must be true or false.")
  if (!areMessages(reply)) return misuse(`'reply' must be ${MESSAGES_WANTED}.`)
  if (prompt !== undefined && !areMessages(prompt)) return misuse(`'prompt' must be ${MESSAGES_WANTED}.`)
  return isModel(model) ? undefined : misuse("'model' must be a function.")
}

/** Validates what untyped callers pass, so that nothing throws in the middle of their turn. */
export const problemOfTurn = (turn: CompletedTurn): HermesError | undefined => {
  if (!isObject(turn)) return misuse('recordTurn takes an object that holds the messages of the turn.')
  const { messages, before = [], toolIterations = 0, model } = turn
  if (!areMessages(messages)) return misuse(`'messages' must be ${MESSAGES_WANTED}.`)
  if (!areMessages(before)) return misuse(`'before' must be ${MESSAGES_WANTED}.`)
  if (!Number.isSafeInteger(toolIterations) || toolIterations < 0) return misuse("'toolIterations' must be a whole number, 0 or more.")
  return isModel(model) ? undefined : misuse("'model' must be a function.")
}
