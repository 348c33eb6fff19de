/** What a review has learned is on the result of the next call, in every major of `ai`. */
import { createHermes, inMemoryBackend } from '@hermes/core'
import { type ModelAnswer, textAnswer } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { learnedOf, withHermes } from '../src/index.ts'
import { MAJORS } from './support/majors.ts'
import { type Specification, scriptedModel } from './support/scripted-model.ts'
import type { WireModel } from './support/wire-providers.ts'

const PROPOSALS = JSON.stringify({
  proposals: [
    {
      target: 'user',
      op: { action: 'add', content: 'Lives in Namur' },
      rationale: 'said',
      score: 0.9,
      evidence: [{ quote: 'I live in Namur.' }],
    },
  ],
})

const setUp = (specification: Specification, ...answers: readonly ModelAnswer[]) => {
  const hermes = createHermes({ storage: inMemoryBackend(), nudge: { memoryInterval: 1, skillInterval: 0 } })
  const [queue, reviews] = [[...answers], [PROPOSALS]]
  const model = scriptedModel({
    specification,
    answer: async ({ purpose }) =>
      purpose === 'review' ? textAnswer(reviews.shift() ?? '{"proposals": []}') : (queue.shift() ?? textAnswer('Fine.')),
  })
  const session = hermes.session('chat')
  return { hermes, session, model: withHermes(model as unknown as WireModel, session) }
}

const LEARNED = { learned: [{ target: 'user', action: 'add', content: 'Lives in Namur' }], held: 0 }
/** As `ai` 5 has it. */
const WITHOUT_TEXT = { learned: [{ target: 'user', action: 'add' }], held: 0 }
const SAID = [{ role: 'user' as const, content: 'I live in Namur.' }]
const NEXT = [...SAID, { role: 'assistant' as const, content: 'Fine.' }, { role: 'user' as const, content: 'Thanks' }]

describe.each(MAJORS)('$name', ({ ai, specification }) => {
  const shown = specification === 'v2' ? WITHOUT_TEXT : LEARNED

  it('generateText has it in the metadata of its result, once', async () => {
    const { model, hermes } = setUp(specification)
    const first = await ai.generateText({ model, messages: SAID })
    expect(learnedOf(first.providerMetadata)).toBeUndefined()
    await hermes.settled()
    const second = await ai.generateText({ model, messages: NEXT })
    expect(second.providerMetadata?.['hermes']).toEqual(shown)
    expect(learnedOf(second.providerMetadata)).toEqual(shown)
    await hermes.settled()
    const later = [...NEXT, { role: 'assistant' as const, content: 'Fine.' }, { role: 'user' as const, content: 'Bye' }]
    expect((await ai.generateText({ model, messages: later })).providerMetadata?.['hermes']).toBeUndefined()
  })

  it('shows no text of an entry to telemetry that records no outputs', async () => {
    const { model, hermes } = setUp(specification)
    await ai.generateText({ model, messages: SAID })
    await hermes.settled()
    const told: unknown[] = []
    const span = {
      setAttribute: (...given: unknown[]) => told.push(given),
      setAttributes: (given: unknown) => told.push(given),
      addEvent: (...given: unknown[]) => told.push(given),
      recordException: () => undefined,
      setStatus: () => undefined,
      end: () => undefined,
      spanContext: () => ({ traceId: '', spanId: '', traceFlags: 0 }),
    }
    const startSpan = (_name: string, options: { readonly attributes?: unknown }) => {
      told.push(options.attributes)
      return span
    }
    const startActiveSpan = (name: string, options: object, ...rest: readonly unknown[]) => {
      startSpan(name, options)
      return (rest.at(-1) as (span: unknown) => unknown)(span)
    }
    const telemetry = { isEnabled: true, recordInputs: false, recordOutputs: false, tracer: { startSpan, startActiveSpan } }
    const call = { model, messages: NEXT, experimental_telemetry: telemetry }
    const result = await ai.generateText(call as unknown as Parameters<typeof ai.generateText>[0])
    expect(learnedOf(result.providerMetadata)).toEqual(shown)
    if (specification !== 'v2') return
    expect(JSON.stringify(told)).toContain('providerMetadata')
    expect(JSON.stringify(told)).not.toContain('Namur')
  })

  it('streamText has it in the metadata of its last step', async () => {
    const { model, hermes } = setUp(specification)
    await ai.generateText({ model, messages: SAID })
    await hermes.settled()
    const stream = ai.streamText({ model, messages: NEXT })
    expect(await stream.text).toBe('Fine.')
    expect(learnedOf(await stream.providerMetadata)).toEqual(shown)
  })

  it('a turn with tools has it on the step that answers', async () => {
    const call: ModelAnswer = { type: 'tool-call', toolName: 'look', input: { place: 'here' } }
    const { model, hermes } = setUp(specification, textAnswer('Fine.'), call)
    await ai.generateText({ model, messages: SAID })
    await hermes.settled()
    const tools = { look: { description: 'Looks', inputSchema: z.object({ place: z.string() }), execute: async () => 'A house.' } }
    const { steps, providerMetadata } = await ai.generateText({ model, tools, messages: NEXT, stopWhen: ai.stepCountIs(3) })
    expect(steps.map((step) => learnedOf(step.providerMetadata))).toEqual([undefined, shown])
    expect(learnedOf(providerMetadata)).toEqual(shown)
  })

  it('a side call has none of it', async () => {
    const { model, hermes, session } = setUp(specification)
    await ai.generateText({ model, messages: SAID })
    await hermes.settled()
    const title = await ai.generateText({ model, messages: NEXT, providerOptions: { hermes: { skip: true } } })
    expect(learnedOf(title.providerMetadata)).toBeUndefined()
    expect(session.takeLearned()).toEqual(LEARNED)
  })
})
