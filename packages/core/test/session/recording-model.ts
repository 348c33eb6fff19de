/** A reviewer that proposes nothing and keeps what it was asked. */
import type { HostModel } from '../../src/index.ts'

export interface RecordingModel extends HostModel {
  /** The conversation of each review, as it was shown. */
  readonly read: readonly string[]
}

export const recordingModel = (): RecordingModel => {
  const read: string[] = []
  const model: HostModel = async ({ messages }) => {
    read.push(messages.map(({ content }) => content).join('\n'))
    return '{"proposals": []}'
  }
  return Object.assign(model, { read })
}
