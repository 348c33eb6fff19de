import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RecordingOptions, recordingMiddleware } from '@hermes/example-chat-parts/recording-middleware'
import { scriptedModel } from '@hermes/example-scripted-model/ai-sdk'
import { generateText, streamText, wrapLanguageModel } from 'ai'
import { expect, it, onTestFinished } from 'vitest'

const isReview: RecordingOptions['isReview'] = ({ providerOptions }) => providerOptions?.['hermes']?.['purpose'] === 'review'

const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-record-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

it('writes generated and streamed requests as they are sent, one line each, readable by nobody else', async () => {
  const file = join(temporaryFolder(), 'requests.jsonl')
  const model = wrapLanguageModel({
    model: scriptedModel(),
    middleware: recordingMiddleware(file, { isReview, onProblem: expect.unreachable }),
  })
  await generateText({ model, instructions: 'Be kind.\n', prompt: 'hello' })
  await streamText({ model, prompt: 'a line\nand one', providerOptions: { hermes: { purpose: 'review' } } }).text
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    { purpose: 'turn', system: 'Be kind.\n', messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }] },
    { purpose: 'review', system: '', messages: [{ role: 'user', content: [{ type: 'text', text: 'a line\nand one' }] }] },
  ])
  expect(statSync(file).mode & 0o777).toBe(0o600)
})
