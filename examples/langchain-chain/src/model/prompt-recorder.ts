/** Writes each prompt to a file as it goes to the model. A handler on the model itself sees reviews too, and tells them by their tag. */
import { appendFileSync } from 'node:fs'
import { REVIEW_TAG } from '@hermes/langchain'
import { BaseCallbackHandler } from '@langchain/core/callbacks/base'

export interface RecordedPrompt {
  readonly purpose: 'turn' | 'review'
  readonly prompt: string
}

export const promptRecorder = (file: string): BaseCallbackHandler =>
  BaseCallbackHandler.fromMethods({
    handleChatModelStart(_model, messages, _runId, _parentRunId, _extra, tags) {
      const prompt = messages
        .flat()
        .map((message) => message.text)
        .join('\n\n')
      const line: RecordedPrompt = { purpose: tags?.includes(REVIEW_TAG) === true ? 'review' : 'turn', prompt }
      appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 })
    },
  })
