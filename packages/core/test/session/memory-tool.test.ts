import { describe, expect, it } from 'vitest'
import type { HermesOptions } from '../../src/hermes-options.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import type { Session } from '../../src/session/session.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { updateDocument } from '../../src/storage/one-document.ts'
import { openHome, remember, user } from './open-home.ts'
import { addSkill, callTool, offered, openSkillHome, readSkill, skillText } from './skill-home.ts'

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

describe('the skill tools of a session', () => {
  it('count a view and a use for each reading of a skill, under its own name, and a view for a file of it', async () => {
    const storage = inMemoryBackend()
    await updateDocument(storage, 'skills/dev/ship/SKILL.md', () => new TextEncoder().encode(skillText('shipping')))
    await updateDocument(storage, 'skills/dev/ship/references/api.md', () => new TextEncoder().encode('An API.'))
    const { hermes } = openSkillHome(storage)
    const session = hermes.session('one')
    expect(await callTool(session, 'skill_view', { name: 'dev/ship' })).toMatchObject({ success: true, name: 'shipping' })
    expect(await callTool(session, 'skill_view', { name: 'dev/ship', file_path: 'references/api.md' })).toMatchObject({
      content: 'An API.',
    })
    expect(await callTool(session, 'skill_view', { name: 'nowhere' })).toMatchObject({ success: false })
    await callTool(session, 'skills_list', {})
    await hermes.settled()
    expect([...(await hermes.usageStore().all())].map(([name, { viewCount, useCount }]) => [name, viewCount, useCount])).toEqual([
      ['shipping', 2, 1],
    ])
  })

  it('write through the gate with the words of the turn, and show a near duplicate first', async () => {
    const storage = inMemoryBackend()
    const { hermes } = openHome(storage)
    const session = hermes.session('one')
    const said = [user('Please keep as a skill: release packages with the changelog first, then publish the packages')]
    const content = skillText(
      'release-packages',
      'Release packages with the changelog first, then publish the packages.',
      'Release packages',
    )
    expect(await callTool(session, 'skill_manage', { action: 'create', name: 'release-packages', content }, said)).toMatchObject({
      success: true,
    })
    expect(await hermes.usageStore().get('release-packages')).toMatchObject({ createdBy: 'agent' })
    const twin = {
      action: 'create',
      name: 'packages-release',
      content: skillText('packages-release', 'Release packages with the changelog first, then publish the packages.', 'Release packages'),
    }
    expect(await callTool(session, 'skill_manage', twin, said)).toMatchObject({ success: false })
    expect(await readSkill(storage, 'packages-release')).toBeUndefined()
    await callTool(session, 'skill_manage', { ...twin, create_anyway: true }, said)
    expect(await readSkill(storage, 'packages-release')).toBeDefined()
    expect(await callTool(session, 'skill_manage', { ...twin, name: 'release-packages', content }, said)).toMatchObject({
      code: 'occupied',
    })
  })

  it('are not offered, and write nothing, if skills are switched off', async () => {
    const storage = inMemoryBackend()
    await addSkill(storage, 'bread')
    const { hermes } = openSkillHome(storage, { skills: { enabled: false } })
    const session = hermes.session('one')
    expect(session.offerTools().map(({ name }) => name)).toEqual(['memory'])
    expect(await session.systemBlock()).toBe('')
    const op = { action: 'create', name: 'cake', content: skillText('cake') } as const
    const disposed = await session.submit({ target: 'skill', op, rationale: '', score: 1 })
    expect(disposed.ok && disposed.value.kind === 'failed' && disposed.value.error.code).toBe('disabled')
  })
})

describe('the catalogue in the frozen block', () => {
  it('comes after memory, and does not move when a skill is written', async () => {
    const storage = inMemoryBackend()
    await remember(storage, 'Repo builds with pnpm')
    await addSkill(storage, 'bread')
    const session = offered(openSkillHome(storage).hermes)
    const block = await session.systemBlock()
    expect(block.indexOf('How to bread')).toBeGreaterThan(block.indexOf('Repo builds with pnpm'))
    await addSkill(storage, 'cake')
    expect(await session.systemBlock()).toBe(block)
    expect(await session.refresh()).toContain('How to cake')
  })
})
