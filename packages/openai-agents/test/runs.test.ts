/** Whose run it is: many people over one wrapped model, and wiring that fails closed. */
import { createHermesHomes, type HermesEvent, inMemoryBackend } from '@hermes/core'
import type { ModelRequest } from '@openai/agents'
import { describe, expect, it } from 'vitest'
import { type HermesRun, type HermesWarning, hermesTools, runWithHermes, withHermes } from '../src/index.ts'
import { NEWEST, OLDEST, RELEASES, type Sdk } from './support/releases.ts'
import { called, isReview, type Output, said, scriptedModel, textsOf } from './support/scripted-model.ts'

const openHomes = (sdk: Sdk, answer: (request: ModelRequest) => Output | Promise<Output> = () => said('Fine.')) => {
  const events: HermesEvent[] = []
  const warnings: HermesWarning[] = []
  const asked: ModelRequest[] = []
  const homes = createHermesHomes({ storage: inMemoryBackend(), onEvent: (event) => events.push(event), nudge: { memoryInterval: 1 } })
  const inner = scriptedModel(sdk, {
    answer: async (_, request) => {
      if (isReview(request)) return { type: 'items', output: said('{"proposals":[]}') }
      asked.push(request)
      return { type: 'items', output: await answer(request) }
    },
  })
  const model = withHermes(inner, homes, { onWarning: (warning) => warnings.push(warning) })
  const agent = new sdk.Agent({ name: 'Host', instructions: 'Be kind.', model, tools: hermesTools(homes) })
  const notesOf = async (user: string) => {
    const store = homes.for(user).memoryStore()
    await store.load()
    return store.entries('user')
  }
  const mistakes = () => events.flatMap((event) => (event.type === 'wiring-failed' ? [event.mistake] : []))
  return { homes, agent, asked, warnings, mistakes, notesOf }
}

/** Calls the memory tool with the user's own words, then answers. */
const remembers = ({ input }: ModelRequest): Output => {
  const last = textsOf({ input } as ModelRequest)
  const words = last.find((text) => text.startsWith('Remember: '))?.slice('Remember: '.length)
  return last.length > 1 || words === undefined ? said('Fine.') : called('memory', { target: 'user', action: 'add', content: words })
}

describe.each(RELEASES)('$name', ({ sdk }) => {
  it('one agent serves two people at once, and streams belong to whoever started them', async () => {
    const { homes, agent, asked, notesOf, mistakes } = openHomes(sdk, remembers)
    const chat = async (user: string, text: string) => {
      const result = await runWithHermes({ user, sessionId: 'main' }, () => sdk.run(agent, text, { stream: true }))
      // Read outside of the run: the model call that follows the tool still belongs to this person.
      for await (const _ of result) await new Promise((resolve) => setTimeout(resolve, 1))
      await result.completed
    }
    await Promise.all([chat('ada', 'Remember: I am Ada.'), chat('bob', 'Remember: I am Bob.')])
    expect([await notesOf('ada'), await notesOf('bob')]).toEqual([['I am Ada.'], ['I am Bob.']])
    expect(mistakes()).toEqual([])
    asked.length = 0
    await runWithHermes({ user: 'ada', sessionId: 'next' }, () => sdk.run(agent, 'Hello'))
    await runWithHermes({ user: 'bob', sessionId: 'next' }, () => sdk.run(agent, 'Hello'))
    const [ada = '', bob = ''] = asked.map(({ systemInstructions }) => systemInstructions)
    expect([ada.includes('I am Ada.'), ada.includes('I am Bob.'), bob.includes('I am Bob.'), bob.includes('I am Ada.')]).toEqual([
      true,
      false,
      true,
      false,
    ])
    await homes.settled()
  })

  it('two people’s tools are told apart where the provider numbers its calls anew in every answer', async () => {
    let both = () => {}
    const asked = new Promise<void>((resolve) => {
      both = resolve
    })
    const {
      agent,
      asked: requests,
      notesOf,
      mistakes,
    } = openHomes(sdk, async (request) => {
      if (textsOf(request).length > 1) return said('Fine.')
      if (requests.length === 2) both()
      await asked
      const input = { target: 'user', action: 'add', content: textsOf(request)[0] }
      return [{ ...called('memory', input)[0], callId: 'call_0' } as never]
    })
    await Promise.all(['ada', 'bob'].map((user) => runWithHermes({ user, sessionId: 'main' }, () => sdk.run(agent, `I am ${user}.`))))
    expect([await notesOf('ada'), await notesOf('bob'), mistakes()]).toEqual([['I am ada.'], ['I am bob.'], []])
  })

  it.each<[string, unknown, string, RegExp]>([
    ['no context', undefined, 'missing-owner', /runWithHermes\(\{ user, sessionId \}, \(\) => run\(agent, input\)\)/],
    ['a context without a user', { sessionId: 'main' }, 'missing-owner', /names no user/],
    ['a user that is no text', { user: 7, sessionId: 'main' }, 'missing-owner', /Pass the ids as strings/],
    ['an empty user', { user: '', sessionId: 'main' }, 'missing-owner', /cannot be an owner/],
    ['a context without a session', { user: 'ada' }, 'missing-session', /runWithHermes\(\{ user, sessionId \}/],
    ['a session that is no text', { user: 'ada', sessionId: 7 }, 'invalid-option', /sessionId is not a non-empty string/],
    ['a misspelt key', { user: 'ada', sesionId: 'main' }, 'invalid-option', /unknown key 'sesionId'; the keys are user, tenant, sessionId/],
    ['a flag that is no boolean', { user: 'ada', sessionId: 'main', skip: 'yes' }, 'invalid-option', /skip is not a boolean/],
    ['a context that is no object', 'ada', 'invalid-option', /not an object/],
  ])('a run with %s goes without anybody’s memory, and says what to write', async (_what, context, mistake, message) => {
    const { homes, agent, asked, warnings, mistakes, notesOf } = openHomes(sdk, remembers)
    await runWithHermes({ user: 'ada', sessionId: 'before' }, () => sdk.run(agent, 'Remember: I am Ada.'))
    asked.length = 0
    const answer = () => sdk.run(agent, 'Remember: nothing.')
    const { finalOutput } = context === undefined ? await answer() : await runWithHermes(context as HermesRun, answer)
    await homes.settled()
    expect(finalOutput).toBe('Fine.')
    expect(asked.map(({ systemInstructions }) => systemInstructions)).toEqual(['Be kind.', 'Be kind.'])
    expect(warnings[0]).toMatchObject({ code: mistake, message: expect.stringMatching(message) })
    expect(mistakes()[0]).toBe(mistake)
    expect(await notesOf('ada')).toEqual(['I am Ada.'])
  })
})

it('an agent writes notes on the project that its run names, if its tools are told that runs do', async () => {
  const { sdk } = NEWEST
  const { homes } = openHomes(sdk)
  const op = { target: 'project', action: 'add', content: 'Orders live in Postgres.' }
  const answer = async (_: unknown, request: ModelRequest) => {
    const output = textsOf(request).length > 1 ? said('Fine.') : called('memory', op)
    return { type: 'items', output } as const
  }
  const model = withHermes(scriptedModel(sdk, { answer }), homes)
  const agent = new sdk.Agent({ name: 'Host', model, tools: hermesTools(homes, { projects: true }) })
  await runWithHermes({ user: 'ada', sessionId: 'main', project: 'webshop' }, () => sdk.run(agent, op.content))
  const notes = (project: string) => homes.for('ada').memory.list('project', { project })
  expect(await notes('webshop')).toMatchObject({ ok: true, value: [{ content: op.content }] })
  expect(await notes('blog')).toEqual({ ok: true, value: [] })
})

it('one person’s tools and models serve agents of two releases of the SDK in one tree', async () => {
  const { homes } = openHomes(NEWEST.sdk)
  const tools = hermesTools(homes)
  for (const [user, { sdk }] of [
    ['ada', NEWEST],
    ['bob', OLDEST],
  ] as const) {
    const inner = scriptedModel(sdk, { answer: async (_, request) => ({ type: 'items', output: remembers(request) }) })
    const agent = new sdk.Agent({ name: 'Host', model: withHermes(inner, homes), tools })
    await runWithHermes({ user, sessionId: 'main' }, () => sdk.run(agent, `Remember: I am ${user}.`))
    const store = homes.for(user).memoryStore()
    await store.load()
    expect(store.entries('user')).toEqual([`I am ${user}.`])
  }
})
