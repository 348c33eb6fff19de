/** Misconfiguration fails closed: no session's text or memory reaches another session, and the host is warned. */
import { createHermes, type HermesEvent, inMemoryBackend } from '@hermes/core'
import { type ModelAnswer, type ModelCall, textAnswer } from '@hermes/testing'
import type { LanguageModel, ToolSet } from 'ai'
import { describe, expect, it } from 'vitest'
import { type HermesWarning, hermesTools, withHermes } from '../src/index.ts'
import { MAJORS } from './support/majors.ts'
import { scriptedModel } from './support/scripted-model.ts'

const FACT = 'My salary is 93000 euros.'

const setUp = (userId: string) => {
  const events: HermesEvent[] = []
  const hermes = createHermes({ storage: inMemoryBackend(), onEvent: (event) => events.push(event) })
  const session = hermes.session(`${userId}-chat`)
  const mistakes = () => events.flatMap((event) => (event.type === 'wiring-failed' ? [event.mistake] : []))
  const notes = async () => {
    const store = hermes.memoryStore()
    await store.load()
    return store.entries('user')
  }
  return { hermes, session, mistakes, notes }
}

describe.each(MAJORS)('$name', ({ ai, specification }) => {
  const modelOf = (answer: (call: ModelCall) => Promise<ModelAnswer>) =>
    scriptedModel({ specification, answer }) as unknown as Exclude<LanguageModel, string>

  const remembers = async ({ messages }: ModelCall): Promise<ModelAnswer> =>
    messages.at(-1)?.role === 'tool'
      ? textAnswer('Done.')
      : { type: 'tool-call', toolName: 'memory', input: { target: 'user', action: 'add', content: FACT } }

  it.each(['generateText', 'streamText'] as const)('%s: a tool of another person’s session writes nothing', async (way) => {
    const [alice, bob] = [setUp('alice'), setUp('bob')]
    const options = {
      model: withHermes(modelOf(remembers), alice.session),
      tools: hermesTools(bob.session) as ToolSet,
      prompt: `Please remember: ${FACT}`,
      stopWhen: ai.stepCountIs(3),
    }
    const text = way === 'generateText' ? (await ai.generateText(options)).text : await ai.streamText(options).text
    await Promise.all([alice.hermes.settled(), bob.hermes.settled()])
    expect(text).toBe('Done.')
    expect([await alice.notes(), await bob.notes()]).toEqual([[], []])
    expect([alice.mistakes(), bob.mistakes()]).toEqual([[], ['other-home']])
  })

  it('a tool of another session of the same person writes', async () => {
    const alice = setUp('alice')
    const model = withHermes(modelOf(remembers), alice.session)
    const tools = hermesTools(alice.hermes.session('another')) as ToolSet
    await ai.generateText({ model, tools, prompt: `Please remember: ${FACT}`, stopWhen: ai.stepCountIs(3) })
    expect(await alice.notes()).toEqual([FACT])
    expect(alice.mistakes()).toEqual([])
  })

  it('a call for another session than its model’s carries no memory and is not counted', async () => {
    const alice = setUp('alice')
    const asked: ModelCall[] = []
    const warnings: HermesWarning[] = []
    const answer = async (call: ModelCall): Promise<ModelAnswer> => {
      asked.push(call)
      return textAnswer('Hello.')
    }
    await alice.hermes
      .session('before')
      .offerTools()[0]
      ?.execute({ target: 'user', action: 'add', content: FACT }, { messages: [{ role: 'user', text: FACT }] })
    const model = withHermes(modelOf(answer), alice.session, { onWarning: (warning) => warnings.push(warning) })
    const ask = (sessionId: string) =>
      ai.generateText({ model, system: 'Be kind.', prompt: 'Hi', providerOptions: { hermes: { sessionId } } })
    await ask('bob-chat')
    await ask('bob-chat')
    await ask('alice-chat')
    expect(asked.map(({ system }) => system.includes(FACT))).toEqual([false, false, true])
    expect(asked[0]?.system).toBe('Be kind.')
    expect(warnings.map(({ code }) => code)).toEqual(['other-session', 'other-session'])
    expect(alice.mistakes()).toEqual(['other-session', 'other-session'])
  })
})
