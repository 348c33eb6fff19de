/** Writes each request to a file exactly as the provider's model gets it: one JSON line each, private to the user. */
import { appendFileSync, chmodSync } from 'node:fs'
import type { LanguageModelMiddleware } from 'ai'
import type { ProviderModel } from './choose-model.ts'

type CallOptions = Parameters<ProviderModel['doGenerate']>[0]

/** What one request looks like in the file. `system` joins the text of all system messages; `messages` is the rest, untouched. */
export interface RecordedRequest {
  readonly purpose: 'turn' | 'review'
  readonly system: string
  readonly messages: CallOptions['prompt']
}

const toRecordedRequest = ({ prompt, providerOptions }: CallOptions): RecordedRequest => ({
  purpose: providerOptions?.['hermes']?.['purpose'] === 'review' ? 'review' : 'turn',
  system: prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n\n'),
  messages: prompt.filter((message) => message.role !== 'system'),
})

/** Goes innermost, below Hermes. If the file cannot be written, `onProblem` is called once; the chat goes on. */
export const recordingMiddleware = (file: string, onProblem: (message: string) => void): LanguageModelMiddleware => {
  let told = false
  return {
    specificationVersion: 'v4',
    transformParams: async ({ params }) => {
      try {
        appendFileSync(file, `${JSON.stringify(toRecordedRequest(params))}\n`, { mode: 0o600 })
        // A file that was there before may be open to others.
        chmodSync(file, 0o600)
      } catch (cause) {
        if (!told)
          onProblem(`Requests are not recorded: ${file} cannot be written (${cause instanceof Error ? cause.message : String(cause)}).`)
        told = true
      }
      return params
    },
  }
}
