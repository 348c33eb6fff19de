/** A model without a model, so that the app runs without a key: fixed rules, and the same answer to the same prompt. */
import { simulateReadableStream, type wrapLanguageModel } from 'ai'

type Model = ReturnType<typeof wrapLanguageModel>
type CallOptions = Parameters<Model['doGenerate']>[0]
type Generated = Awaited<ReturnType<Model['doGenerate']>>
type Content = Generated['content'][number]
type StreamPart = Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never

const WORD_DELAY_MS = 15

const STATEMENTS: readonly (readonly [pattern: RegExp, entry: string])[] = [
  [/\bmy name is ([^.,!?\n]+)/i, 'Is called $1.'],
  [/\bI live in ([^.,!?\n]+)/i, 'Lives in $1.'],
  [/\bI prefer ([^.!?\n]+)/i, 'Prefers $1.'],
  [/\bI am planning ([^.!?\n]+)/i, 'Is planning $1.'],
]

const factsIn = (text: string) =>
  STATEMENTS.flatMap(([pattern, entry]) => {
    const [quote, what = ''] = pattern.exec(text) ?? []
    return quote === undefined ? [] : [{ content: entry.replace('$1', () => what.trim()), quote }]
  })

/** Plays the reviewer: proposes what the person said in so many words. */
const review = (request: string): string => {
  const said = [...request.matchAll(/^\[(m\d+) \| user \| origin: user\] (.*)$/gm)]
  const remembered = /<remembered>([\s\S]*?)<\/remembered>/.exec(request)?.[1] ?? ''
  const proposals = said.flatMap(([, messageId, text = '']) =>
    factsIn(text)
      .filter(({ content }) => !remembered.includes(content))
      .map(({ content, quote }) => ({
        target: 'user',
        op: { action: 'add', content, oldText: null },
        rationale: 'The person said so.',
        score: 0.9,
        evidence: [{ messageId, quote }],
      })),
  )
  return JSON.stringify({ proposals })
}

/** The entries that the system prompt shows. */
const knownIn = (system: string): string => {
  const entries = system
    .split('\n')
    .map((line) => line.replace(/^> /, ''))
    .filter((line) => /^(?:Is|Lives|Prefers|The|Always) .*\.$/.test(line))
  return entries.length === 0 ? 'I know nothing about you yet.' : `From before I know: ${entries.join(' ')}`
}

const callTool = (toolName: string, toolCallId: string, input: object): Content => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  input: JSON.stringify(input),
})

const say = (text: string): Content => ({ type: 'text', text })

const textOf = (message: CallOptions['prompt'][number] | undefined): string =>
  message?.role === 'user' ? message.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n') : ''

const decide = ({ prompt, providerOptions }: CallOptions): Content => {
  const at = prompt.findLastIndex(({ role }) => role === 'user')
  const text = textOf(prompt[at])
  if (providerOptions?.['hermes']?.['purpose'] === 'review') return say(review(text))

  const results = prompt.slice(at).flatMap((message) => (message.role === 'tool' ? message.content : []))
  const read = results.find((part) => part.type === 'tool-result' && part.toolName === 'read_page')
  const id = `call-${prompt.length}`
  if (read?.type === 'tool-result') {
    // Gullible on purpose: it writes down whatever the page asks for, and the gate decides.
    const lines = read.output.type === 'text' ? [...read.output.value.matchAll(/^- (.+)$/gm)].map(([, line = '']) => line) : []
    const next = lines[results.length - 1]
    return next === undefined
      ? say('I read the page and noted what it says.')
      : callTool('memory', id, { target: 'memory', action: 'add', content: next })
  }
  const [result] = results
  if (result?.type === 'tool-result')
    return say(JSON.stringify(result.output).includes('"success":true') ? 'I will remember that.' : 'I could not save that.')
  if (/\btravel page\b/i.test(text)) return callTool('read_page', id, { page: 'travel' })
  const [fact] = factsIn(text)
  if (fact && /\bremember\b/i.test(text)) return callTool('memory', id, { target: 'user', action: 'add', content: fact.content })
  if (/what do you know/i.test(text))
    return say(knownIn(prompt.map((message) => (message.role === 'system' ? message.content : '')).join('\n')))
  return say(fact ? 'Good to know.' : 'I see.')
}

const answer = (options: CallOptions): Generated => {
  const content = decide(options)
  const reason = content.type === 'text' ? 'stop' : 'tool-calls'
  return {
    content: [content],
    finishReason: { unified: reason, raw: reason },
    usage: {
      inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    },
    warnings: [],
  }
}

const toParts = ({ content, finishReason, usage }: Generated): StreamPart[] => [
  { type: 'stream-start', warnings: [] },
  ...content.flatMap((part): StreamPart[] => {
    if (part.type === 'tool-call') return [part]
    if (part.type !== 'text') return []
    const words = part.text.split(/(?<=\s)/).map((delta): StreamPart => ({ type: 'text-delta', id: 'answer', delta }))
    return [{ type: 'text-start', id: 'answer' }, ...words, { type: 'text-end', id: 'answer' }]
  }),
  { type: 'finish', finishReason, usage },
]

export const scriptedModel: Model = {
  specificationVersion: 'v4',
  provider: 'scripted',
  modelId: 'stand-in',
  supportedUrls: {},
  doGenerate: async (options) => answer(options),
  doStream: async (options) => ({
    stream: simulateReadableStream({ chunks: toParts(answer(options)), initialDelayInMs: null, chunkDelayInMs: WORD_DELAY_MS }),
  }),
}
