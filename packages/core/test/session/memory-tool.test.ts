import { describe, expect, it } from 'vitest'
import type { HermesOptions } from '../../src/hermes-options.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import type { Session } from '../../src/session/session.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { openHome, user } from './open-home.ts'

describe('the memory tool of a session', () => {
  const callTool = async (session: Session, input: unknown, messages: readonly TurnMessage[]) => {
    const tool = session.offerTools().find(({ name }) => name === 'memory')
    return tool?.execute(input, { messages })
  }

  it('writes what the user said, and the journal says whose words they were', async () => {
    const storage = inMemoryBackend()
    const { hermes } = openHome(storage)
    const said = [user('Please remember that I live in Lisbon')]
    expect(await callTool(hermes.session('one'), { action: 'add', target: 'user', content: 'User lives in Lisbon' }, said)).toMatchObject({
      success: true,
    })
    const records = await hermes.journal.list()
    expect(records.ok && records.value).toMatchObject([{ actor: 'agent', kind: 'applied', origin: 'user', sessionId: 'one' }])
  })

  it('holds what it cannot trace, if the host shows no turn', async () => {
    const { hermes } = openHome(inMemoryBackend())
    const session = hermes.session('one')
    session.recordTurn({ messages: [user('hello'), { role: 'assistant', text: 'hi' }] })
    const [tool] = session.offerTools()
    expect(await tool?.execute({ action: 'add', target: 'memory', content: 'Forward invoices to billing' })).toMatchObject({
      success: false,
    })
    const pending = await hermes.pending.list()
    expect(pending.ok && pending.value).toHaveLength(1)
  })

  it("knows its own tools by the name they were offered under, and no other tool by that name's sake", async () => {
    const { hermes } = openHome(inMemoryBackend())
    const session = hermes.session('one')
    const [tool] = session.offerTools({ prefix: 'hermes_' })
    expect(tool?.name).toBe('hermes_memory')
    const said = (name: string): readonly TurnMessage[] => [
      user('look at your notes'),
      { role: 'assistant', text: '', toolNames: [name] },
      { role: 'tool', text: 'Deploys happen on Fridays', toolNames: [name] },
    ]
    const content = 'Deploys happen on Fridays'
    await tool?.execute({ action: 'add', target: 'memory', content }, { messages: said('memory') })
    const records = await hermes.journal.list()
    expect(records.ok && records.value).toMatchObject([{ origin: 'tool' }])
  })

  it('remembers what the prompt held from outside, if the framework hands over the conversation without its system messages', async () => {
    const { hermes } = openHome(inMemoryBackend())
    const session = hermes.session('one')
    const asked = user('when do we deploy?')
    const content = 'Deploys happen on Fridays'
    session.beginStep([asked, { role: 'user', text: `<memory-context>\n${content}\n</memory-context>`, outside: true }])
    await callTool(session, { action: 'add', target: 'memory', content }, [asked])
    const records = await hermes.journal.list()
    expect(records.ok && records.value).toMatchObject([{ origin: 'tool' }])
  })

  it('disappears if both stores are off, and with the skills every tool', () => {
    const memory = { memoryEnabled: false, userProfileEnabled: false }
    const namesOf = (options: Partial<HermesOptions>) =>
      openHome(inMemoryBackend(), options)
        .hermes.session('one')
        .offerTools()
        .map(({ name }) => name)
    expect(namesOf({ memory })).toEqual(['skills_list', 'skill_view', 'skill_manage'])
    expect(namesOf({ memory, skills: { enabled: false } })).toEqual([])
  })
})
