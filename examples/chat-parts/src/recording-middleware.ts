/** Writes each request to a file exactly as the provider's model gets it: one JSON line each, private to the user. */
import { appendFileSync, chmodSync } from 'node:fs'
import type { LanguageModelMiddleware, wrapLanguageModel } from 'ai'

type CallOptions = Parameters<ReturnType<typeof wrapLanguageModel>['doGenerate']>[0]

/** What one request looks like in the file. `system` joins the text of all system messages; `messages` is the rest, untouched. */
export interface RecordedRequest {
  readonly purpose: 'turn' | 'review'
  readonly system: string
  readonly messages: CallOptions['prompt']
}

const toRecordedRequest = ({ prompt }: CallOptions, purpose: RecordedRequest['purpose']): RecordedRequest => ({
  purpose,
  system: prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n\n'),
  messages: prompt.filter((message) => message.role !== 'system'),
})

export interface RecordingOptions {
  /** Tells a review from a turn of the chat. */
  readonly isReview: (options: CallOptions) => boolean
  /** Called once if the file cannot be written; the chat goes on. */
  readonly onProblem: (message: string) => void
}

/** Goes innermost, so that it sees what other middleware adds. */
export const recordingMiddleware = (file: string, { isReview, onProblem }: RecordingOptions): LanguageModelMiddleware => {
  let told = false
  return {
    specificationVersion: 'v4',
    transformParams: async ({ params }) => {
      try {
        appendFileSync(file, `${JSON.stringify(toRecordedRequest(params, isReview(params) ? 'review' : 'turn'))}\n`, { mode: 0o600 })
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
