/** Message parts as plain text that a reviewer can read and evidence can quote. Length is limited; never throws. */
import { asList, asRecord, asText, cutText, toJson } from '@hermes/core/adapter'

/** `[file: report.pdf, application/pdf]`, followed by the text if a V4 file contains it. */
export const fileText = (part: Readonly<Record<string, unknown>>): string => {
  const name = asText(part['filename'])
  const mediaType = asText(part['mediaType']) || (part['type'] === 'image' ? 'image' : '')
  const label = `[file: ${[name, mediaType].filter((word) => word !== '').join(', ') || 'unnamed'}]`
  const data = asRecord(part['data'])
  return data['type'] === 'text' ? `${label}\n${cutText(asText(data['text']))}` : label
}

const contentPartText = (value: unknown): string => {
  const part = asRecord(value)
  return part['type'] === 'text' ? asText(part['text']) : `[${asText(part['type']) || 'part'}]`
}

/** The text of a tool result's `output` in a prompt: text, JSON, an error, a refusal, or content parts. */
export const toolOutputText = (value: unknown): string => {
  const output = asRecord(value)
  switch (output['type']) {
    case 'text':
    case 'error-text':
      return cutText(asText(output['value']))
    case 'json':
    case 'error-json':
      return cutText(toJson(output['value']))
    case 'execution-denied':
      return ['[denied]', asText(output['reason'])].filter((word) => word !== '').join(' ')
    case 'content':
      return cutText(asList(output['value']).map(contentPartText).join('\n'))
    default:
      return cutText(typeof value === 'string' ? value : toJson(value))
  }
}
