/** What the scripted agent can know: it restates a claim only once a request, a result or its own provider has shown it. */
import { shows } from '../review-request.ts'
import { signsOf } from './reviewer.ts'
import type { Scene, Step } from './scene.ts'
import type { Wording } from './wordings/wording.ts'

export interface Knowledge {
  /** Called with all that a model call of the agent is shown. */
  see(text: string): void
  /** The step of the script, or an empty answer in its place. */
  stepOf(step: Step): Step
}

/** Text of JSON, without its escapes. */
export const plainText = (value: unknown): string =>
  JSON.stringify(value ?? '')
    .replaceAll('\\n', '\n')
    .replaceAll(/\\+"/g, '"')

/** What a host shows its model beside the conversation, on surfaces that make no request. */
export const textsOfHost = ({ instructions, tools = [] }: Scene): readonly string[] => [
  ...(instructions === undefined ? [] : [instructions]),
  ...tools.map(({ description }) => description),
]

const carriesSource = (step: Step): boolean =>
  step.kind === 'provider-call' || (step.kind === 'say' && (step.sources !== undefined || step.metadata !== undefined))

export const knowledgeOf = (wording: Wording): Knowledge => {
  const signs = signsOf(wording)
  const isClaim = (text: string): boolean => [...signs, ...wording.marks].some((sign) => shows(text, sign))
  let knows = false
  return {
    see(text) {
      knows ||= signs.some((sign) => shows(text, sign))
    },
    stepOf(step) {
      knows ||= carriesSource(step)
      return knows || !isClaim(plainText(step)) ? step : { kind: 'say', text: 'I see.' }
    },
  }
}
