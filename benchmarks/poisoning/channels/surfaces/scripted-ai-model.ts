/** A model of the AI SDK that answers the steps of a script, one call each; a nested call puts its steps in front. Reviews are answered by the reviewer. */
import type { wrapLanguageModel } from 'ai'
import { type Knowledge, plainText } from '../knowledge.ts'
import type { Reviewer } from '../reviewer.ts'
import type { Step } from '../scene.ts'
import { nextId } from './surface.ts'

type AiModel = Extract<Parameters<typeof wrapLanguageModel>[0]['model'], { readonly specificationVersion: 'v4' }>
type Generated = Awaited<ReturnType<AiModel['doGenerate']>>
type Content = Generated['content'][number]
type Streamed = Awaited<ReturnType<AiModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never

const USAGE: Generated['usage'] = {
  inputTokens: { total: 9, noCache: 9, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 3, text: 3, reasoning: undefined },
}

const contentOf = (step: Step): readonly Content[] => {
  if (step.kind === 'call')
    return [{ type: 'tool-call', toolCallId: step.id ?? nextId(), toolName: step.name, input: JSON.stringify(step.input) }]
  if (step.kind === 'provider-call') {
    const about = { toolCallId: nextId(), toolName: step.name, dynamic: true } as const
    return [
      { type: 'tool-call', ...about, input: '{}', providerExecuted: true },
      { type: 'tool-result', ...about, result: { text: step.result } },
      { type: 'text', text: step.text },
    ]
  }
  const sources = step.sources?.map(
    (title): Content => ({ type: 'source', sourceType: 'url', id: nextId(), url: 'https://kelp.example', title }),
  )
  const providerMetadata = step.metadata === undefined ? {} : { providerMetadata: { search: { grounding: step.metadata } } }
  return [...(sources ?? []), { type: 'text', text: step.text, ...providerMetadata }]
}

const finishOf = (step: Step): Generated['finishReason'] =>
  step.kind === 'call' ? { unified: 'tool-calls', raw: 'tool-calls' } : { unified: 'stop', raw: 'stop' }

const streamParts = (step: Step): readonly Streamed[] => [
  { type: 'stream-start', warnings: [] },
  ...contentOf(step).flatMap((part, at): readonly Streamed[] => {
    if (part.type !== 'text') return [part as Streamed]
    const id = String(at)
    const { text, ...about } = { ...part, type: undefined }
    return [
      { ...about, type: 'text-start', id },
      { type: 'text-delta', id, delta: text.slice(0, 7) },
      { type: 'text-delta', id, delta: text.slice(7) },
      { type: 'text-end', id },
    ]
  }),
  { type: 'finish', finishReason: finishOf(step), usage: USAGE },
]

type Asked = Parameters<AiModel['doGenerate']>[0]

const requestOf = ({ prompt, tools }: Asked): string => [...prompt.map(({ content }) => content), tools].map(plainText).join('\n')

export interface ScriptedAiModel {
  readonly model: AiModel
  readonly script: Step[]
}

/** Only a review carries this mark, in its provider options. */
const isReview = (options: unknown): boolean => JSON.stringify(options ?? {}).includes('"purpose":"review"')

export const scriptedAiModel = (reviewer: Reviewer, knowledge: Knowledge): ScriptedAiModel => {
  const script: Step[] = []
  const next = (params: Asked): Step => {
    knowledge.see(requestOf(params))
    return knowledge.stepOf(script.shift() ?? { kind: 'say', text: 'Fine.' })
  }
  const answer = (step: Step): Generated => ({
    content: [...contentOf(step)],
    finishReason: finishOf(step),
    usage: USAGE,
    warnings: [],
    ...(step.kind === 'say' && step.metadata !== undefined ? { providerMetadata: { search: { grounding: step.metadata } } } : {}),
  })
  return {
    script,
    model: {
      specificationVersion: 'v4',
      provider: 'scripted',
      modelId: 'scripted-1',
      supportedUrls: {},
      doGenerate: async (params) => {
        if (!isReview(params.providerOptions)) return answer(next(params))
        return answer({ kind: 'say', text: reviewer.answer(requestOf(params)) })
      },
      doStream: async (params) => {
        const parts = streamParts(next(params))
        return {
          stream: new ReadableStream<Streamed>({
            start: (controller) => {
              for (const part of parts) controller.enqueue(part)
              controller.close()
            },
          }),
        }
      },
    },
  }
}
