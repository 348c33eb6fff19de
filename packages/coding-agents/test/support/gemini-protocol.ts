/** The protocol of Google's Gemini API: what a request asks, and the answer to it. */
import type { ServerResponse } from 'node:http'
import { asList, asRecord, asText, toJson } from '@hermes/core/adapter'
import type { Block, ScriptedRequest } from './script.ts'

/** `/v1beta/models/gemini-3:streamGenerateContent?alt=sse`. */
export const isGeminiPath = (path: string): boolean => /:(?:stream)?generateContent\b/i.test(path)

const partsOf = (content: unknown) => asList(asRecord(content)['parts']).map(asRecord)

const textOf = (content: unknown): string =>
  partsOf(content)
    .map((part) => asText(part['text']) || ('functionResponse' in part ? toJson(asRecord(part['functionResponse'])['response']) : ''))
    .join('\n')

export const fromGemini = (body: Readonly<Record<string, unknown>>): ScriptedRequest => {
  const said = asList(body['contents']).filter((content) => asRecord(content)['role'] === 'user')
  const declared = asList(body['tools']).flatMap((tool) => asList(asRecord(tool)['functionDeclarations']))
  return {
    body,
    system: textOf(body['systemInstruction']),
    last: textOf(said.at(-1)),
    said: said.map(textOf).join('\n'),
    tools: declared.map((tool) => asText(asRecord(tool)['name'])),
    isResult: partsOf(said.at(-1)).some((part) => 'functionResponse' in part),
  }
}

/** `tokensIn`: as many as a real model would count. */
export const answerGemini = (
  response: ServerResponse,
  { body }: ScriptedRequest,
  blocks: readonly Block[],
  { isStream, tokensIn }: { readonly isStream: boolean; readonly tokensIn: (value: unknown) => number },
): void => {
  const parts = blocks.map((block) =>
    block.type === 'text' ? { text: block.text } : { functionCall: { name: block.name, args: block.input } },
  )
  const [input, output] = [tokensIn(body), tokensIn(blocks)]
  const answer = {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
  }
  response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
  response.end(isStream ? `data: ${JSON.stringify(answer)}\n\n` : JSON.stringify(answer))
}
