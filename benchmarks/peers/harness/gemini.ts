/** The protocol of Google's Gemini API, and what the model says as Gemini CLI's background agent, which extracts memories from sessions. */
import { REQUEST, type ToolCall } from '../port.ts'
import { answer } from './texts.ts'

interface Part {
  readonly text?: string
  readonly functionResponse?: { readonly response?: { readonly output?: string } }
}

interface Content {
  readonly role?: string
  readonly parts?: readonly Part[]
}

export interface GeminiBody {
  readonly contents?: readonly Content[]
  readonly systemInstruction?: Content
  readonly tools?: readonly unknown[]
}

/** `/run/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse` */
const PATH = /\/models\/([^/:]+):(stream)?generateContent/i

export const isGemini = (path: string): boolean => PATH.test(path)

/** The program asks smaller models for everything but the conversation. */
export const isGeminiBackground = (path: string): boolean => isGemini(path) && !PATH.exec(path)?.[1]?.includes('pro')

const textOf = ({ parts = [] }: Content): string =>
  parts.map((part) => part.text ?? part.functionResponse?.response?.output ?? '').join('\n')

const MATCHES = { session: / user msgs\) — (\S+)/, folder: /memory work directory ONLY: (\S+)/ } as const

/** What the session asks to remember, wherever it does, as JSON has it. */
const FOUND = new RegExp(`${REQUEST}((?:[^"\\\\]|\\\\.)*)`, 'g')

const patch = (file: string, facts: readonly string[]): string =>
  `--- /dev/null\n+++ ${file}\n@@ -0,0 +1,${facts.length} @@\n${facts.map((fact) => `+- ${fact}\n`).join('')}`

/** Reads the session, writes one patch into the inbox, and is done. */
const extract = ({ contents = [], systemInstruction = {} }: GeminiBody): ToolCall => {
  const asked = `${textOf(systemInstruction)}\n${contents.map(textOf).join('\n')}`
  const session = MATCHES.session.exec(asked)?.[1] ?? ''
  const folder = MATCHES.folder.exec(asked)?.[1] ?? ''
  const steps = contents.filter(({ role }) => role === 'model').length
  if (steps === 0) return { name: 'read_file', arguments: { file_path: session } }
  const found = [...asked.matchAll(FOUND)].map(([, fact = '']) => String(JSON.parse(`"${fact}"`)).replaceAll(/\s+/g, ' '))
  if (steps > 1 || found.length === 0) return { name: 'complete_task', arguments: { result: { response: 'Done.' } } }
  const content = patch(`${folder}/learned.md`, [...new Set(found)])
  return { name: 'write_file', arguments: { file_path: `${folder}/.inbox/private/extraction.patch`, content } }
}

const isExtraction = ({ systemInstruction = {} }: GeminiBody): boolean => textOf(systemInstruction).includes('Auto Memory Extraction Agent')

export const answerGemini = (
  path: string,
  body: GeminiBody,
  plan: { readonly calls: readonly ToolCall[]; readonly count: number },
): unknown => {
  const calls = isGeminiBackground(path) && isExtraction(body) ? [extract(body)] : plan.calls
  const parts =
    calls.length > 0 ? calls.map((call) => ({ functionCall: { name: call.name, args: call.arguments } })) : [{ text: answer(plan.count) }]
  return {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  }
}
