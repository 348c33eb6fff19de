/**
 * A model without a model: does a task right where a skill or a correction with the rule of its family is in sight, looks a skill up by its name, and as a reviewer
 * writes down what the person corrected. It shows how the evaluation works, for tests and without a key, and says nothing about skills.
 */
import { estimateTokens } from '@hermes/core/review'
import { FAMILIES, type FamilyTask } from '../../../../../../benchmarks/skills/families.ts'
import type { ProviderModel } from '../../../model/choose-model.ts'
import { DELIVER } from './agent.ts'

type CallOptions = Parameters<ProviderModel['doGenerate']>[0]
type Answer = Awaited<ReturnType<ProviderModel['doGenerate']>>
type Message = CallOptions['prompt'][number]
type Content = Answer['content'][number]

/** Line breaks and their escapes do not count. */
const flat = (text: string): string => text.replace(/\\n|\s+/g, ' ').replace(/ +/g, ' ')

const ruleOf = (family: string): string => {
  const rule = FAMILIES.find(({ name }) => name === family)?.training[0]?.rule
  if (rule === undefined) throw new TypeError(`The family ${family} has no rule.`)
  return rule
}

const textOf = ({ content }: Message): string =>
  typeof content === 'string' ? content : content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')

const TASKS: readonly FamilyTask[] = FAMILIES.flatMap(({ training, heldOut }) => [...training, ...heldOut])

/** What a reviewer writes: the correction word for word. */
const review = (request: string): string => {
  const seen = FAMILIES.flatMap(({ name, training }) =>
    training.filter(({ correction = '' }) => request.includes(correction)).map((task) => ({ name, task })),
  )
  const [first] = seen
  const listed = /<skill-library>([\s\S]*?)<\/skill-library>/.exec(request)?.[1] ?? ''
  if (!first || listed.includes(first.name)) return JSON.stringify({ proposals: [] })
  const { name, task } = first
  const content = `---\nname: ${name}\ndescription: How a task of the kind ${name} is done here.\n---\n\n# ${name}\n\n${task.correction}\n`
  const messageId = /\[(m\d+) \| user/.exec(
    request
      .slice(0, request.indexOf(task.correction ?? ''))
      .split('\n')
      .at(-1) ?? '',
  )?.[1]
  const evidence = messageId === undefined ? [] : [{ messageId, quote: task.correction?.slice(0, 150) }]
  return JSON.stringify({
    proposals: [
      {
        target: 'skill',
        op: { action: 'create', name, content },
        rationale: 'The person corrected how it is done.',
        score: 0.95,
        evidence,
      },
    ],
  })
}

const call = (toolName: string, input: object, step: number): Content => ({
  type: 'tool-call',
  toolCallId: `call-${step}`,
  toolName,
  input: JSON.stringify(input),
})

const work = ({ prompt, tools = [] }: CallOptions): Content => {
  const asked = prompt.findLast((message) => message.role === 'user' && TASKS.some(({ task }) => textOf(message).includes(task)))
  const task = asked && TASKS.find((each) => textOf(asked).includes(each.task))
  const last = prompt.at(-1)
  const step = prompt.length
  if (!task || !last) return { type: 'text', text: 'Very well.' }
  const shown = prompt.filter(({ role }) => role === 'tool' || role === 'user').map((message) => JSON.stringify(message))
  const isTold = flat(shown.join('\n')).includes(flat(JSON.stringify(ruleOf(task.family)).slice(1, -1)))
  const isDone = last.role === 'tool' && last.content.some((part) => part.type === 'tool-result' && part.toolName === DELIVER)
  if (isDone) return { type: 'text', text: 'It is handed in.' }
  const mayView = tools.some(({ name }) => name === 'skill_view')
  const catalogue = prompt
    .filter(({ role }) => role === 'system')
    .map(textOf)
    .join('\n')
  if (!isTold && mayView && last.role === 'user' && catalogue.includes(task.family)) return call('skill_view', { name: task.family }, step)
  return call(DELIVER, { result: isTold ? task.good : task.plain }, step)
}

export const scriptedModel = (): ProviderModel => ({
  specificationVersion: 'v4',
  provider: 'scripted',
  modelId: 'scripted',
  supportedUrls: {},
  doStream: async () => {
    throw new TypeError('The scripted model does not stream.')
  },
  doGenerate: async (options) => {
    const isReview = options.responseFormat?.type === 'json'
    const content: Content = isReview ? { type: 'text', text: review(options.prompt.map(textOf).join('\n')) } : work(options)
    const input = estimateTokens(JSON.stringify([options.prompt, options.tools ?? []]))
    const output = estimateTokens(JSON.stringify(content))
    const finished = content.type === 'text' ? 'stop' : 'tool-calls'
    return {
      content: [content],
      finishReason: { unified: finished, raw: finished },
      usage: {
        inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: output, text: output, reasoning: undefined },
      },
      warnings: [],
    }
  },
})
