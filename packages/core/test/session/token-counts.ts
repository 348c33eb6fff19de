/** Helpers of the token tests: hosts that send their whole history with every model call, and the number of tokens that they and the reviews send. */
import type { Hermes } from '../../src/hermes.ts'
import type { HostModel, HostModelRequest } from '../../src/model/host-model.ts'
import { estimateTokens } from '../../src/model/token-estimate.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import type { Session } from '../../src/session/session.ts'
import { assistant, user } from './open-home.ts'

const WORDS = (
  'the build of module release customer invoice folder report meeting region budget window server column export answer question draft ' +
  'before after while under between every second later perhaps really still again needs takes gives shows keeps moves reads writes'
).split(' ')

/** Plain words of the given number of estimated tokens; different words for each seed. */
export const wordsOf = (tokens: number, seed: number): string => {
  let text = ''
  let state = seed * 7_919 + 17
  while (text.length < tokens * 4) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    const word = WORDS[state % WORDS.length] ?? ''
    text += `${word}${state % 9 === 0 ? '. ' : ' '}`
  }
  return text.slice(0, tokens * 4 - 1)
}

export const textOf = (request: HostModelRequest | undefined): string =>
  [request?.system ?? '', ...(request?.messages.map(({ content }) => content) ?? [])].join('\n')

/** A reviewer that proposes nothing, or the given proposals, and records its requests. */
export const countingModel = (answerOf: (request: HostModelRequest) => string = () => '{"proposals":[]}') => {
  const requests: HostModelRequest[] = []
  const tokens: number[] = []
  const model: HostModel = async (request) => {
    const answer = answerOf(request)
    requests.push(request)
    tokens.push(estimateTokens(textOf(request)) + estimateTokens(answer))
    return answer
  }
  return { model, requests, tokens, total: () => tokens.reduce((sum, each) => sum + each, 0) }
}

/** A host that sends the system block and the whole conversation with every model call. `sent`: estimated tokens of prompts and answers. */
export const countingHost = async (hermes: Hermes, session: Session, model: HostModel) => {
  const block = estimateTokens((await session.systemBlock()) ?? '')
  const history: TurnMessage[] = []
  let sent = 0
  const step = (reply: TurnMessage, calledTools: boolean): void => {
    const prompt = [...history]
    session.beginStep(prompt)
    session.endStep({ prompt, turnFinished: !calledTools, calledTools, reply: [reply], model })
    sent += block + [...prompt, reply].reduce((sum, { text }) => sum + estimateTokens(text), 0)
    history.push(reply)
  }
  const turn = async (said: string, results: readonly string[], reply: string): Promise<void> => {
    history.push(user(said))
    for (const result of results) {
      step({ role: 'assistant', text: '', toolNames: ['look_up'] }, true)
      history.push({ role: 'tool', text: result, toolNames: ['look_up'] })
    }
    step(assistant(reply), false)
    await hermes.settled()
  }
  return { turn, sent: () => sent }
}
