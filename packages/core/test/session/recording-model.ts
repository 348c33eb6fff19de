/** A reviewer that proposes nothing and records its requests. */
import type { HostModel } from '../../src/model/host-model.ts'

export interface RecordingModel extends HostModel {
  /** The conversation in the request of each review. */
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
