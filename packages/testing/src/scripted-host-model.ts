/** A host model that answers from a list, for tests of reviews. */
import type { HostModel, HostModelRequest } from '@hermes/core'

/** A text to answer, an error to reject with, or a function of the request. */
export type ScriptedAnswer = string | Error | ((request: HostModelRequest) => string | Promise<string>)

export interface ScriptedHostModel extends HostModel {
  /** All requests so far, in order. */
  readonly requests: readonly HostModelRequest[]
}

/** Uses one answer for each call, in order, and repeats the last one. Without answers, the model proposes nothing. */
export const scriptedHostModel = (...answers: readonly ScriptedAnswer[]): ScriptedHostModel => {
  const requests: HostModelRequest[] = []
  const model: HostModel = async (request) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)] ?? '{"proposals":[]}'
    requests.push(request)
    if (answer instanceof Error) throw answer
    return typeof answer === 'string' ? answer : answer(request)
  }
  return Object.assign(model, { requests })
}
