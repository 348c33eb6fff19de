/** Writes each request to a file exactly as the provider's model gets it: one JSON line each, private to the user. */
import { appendFileSync, chmodSync } from 'node:fs'
import type { ModelMiddleware, ProviderCallOptions } from './provider-spec.ts'

/** What one request looks like in the file. `system` joins the text of all system messages; `messages` is the rest, untouched. */
export interface RecordedRequest {
  readonly purpose: 'turn' | 'review'
  readonly system: string
  readonly messages: ProviderCallOptions['prompt']
}

const toRecordedRequest = ({ prompt, providerOptions }: ProviderCallOptions): RecordedRequest => ({
  purpose: providerOptions?.['hermes']?.['purpose'] === 'review' ? 'review' : 'turn',
  system: prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n\n'),
  messages: prompt.filter((message) => message.role !== 'system'),
})

/** Goes innermost, below Hermes. A file that cannot be written is told once; the chat goes on. */
export const recordingMiddleware = (file: string, onProblem: (message: string) => void): ModelMiddleware => {
  let opened = false
  let told = false
  const record = (params: ProviderCallOptions): void => {
    try {
      appendFileSync(file, `${JSON.stringify(toRecordedRequest(params))}\n`, { mode: 0o600 })
      if (!opened) chmodSync(file, 0o600)
      opened = true
    } catch (cause) {
      if (told) return
      told = true
      onProblem(`Requests are not recorded: ${file} cannot be written (${cause instanceof Error ? cause.message : String(cause)}).`)
    }
  }
  return {
    specificationVersion: 'v4',
    wrapGenerate: ({ doGenerate, params }) => {
      record(params)
      return Promise.resolve(doGenerate())
    },
    wrapStream: ({ doStream, params }) => {
      record(params)
      return Promise.resolve(doStream())
    },
  }
}
