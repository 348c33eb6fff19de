import { describe, expect, it } from 'vitest'
import type { HostModel } from '../../src/model/host-model.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { openHome, talk } from '../session/open-home.ts'
import { must } from '../support/must.ts'

const home = async () => {
  const storage = inMemoryBackend()
  const opened = openHome(storage, { nudge: { memoryInterval: 2, skillInterval: 0 } })
  const { memory } = opened.hermes
  must(await memory.add('user', 'Prefers short answers'))
  must(await memory.add('memory', 'The laptop has two cores'))
  must(await memory.add('project', 'Webshop deploys with make ship', { project: 'webshop' }))
  must(await memory.add('project', 'The blog is written in Hugo', { project: 'blog' }))
  return { ...opened, storage }
}

describe('a session with a project', () => {
  it('shows the notes on it in a section of their own, between memory and the rest, and no other project', async () => {
    const { hermes } = await home()
    const block = await hermes.session('one', { project: 'webshop' }).systemBlock()
    expect(block.match(/(?:MEMORY|USER PROFILE|PROJECT) \(/g)).toEqual(['MEMORY (', 'USER PROFILE (', 'PROJECT ('])
    expect(block).toContain('PROJECT (your notes on this project) [1% — 30/2,200 chars]')
    expect(block).toContain('make ship')
    expect(block).toContain('two cores')
    expect(block).not.toContain('Hugo')
    expect(await hermes.session('two', { project: 'blog' }).systemBlock()).toContain('Hugo')
    const plain = await hermes.session('three').systemBlock()
    expect(plain).not.toMatch(/PROJECT|Hugo|make ship/)
    expect(await hermes.sessions.nextBlock('', 'webshop')).toBe(block)
  })

  it('keeps its project in other processes, named or not', async () => {
    const { hermes, storage } = await home()
    const block = await hermes.session('one', { project: 'webshop' }).systemBlock()
    await hermes.settled()
    const [unnamed, named] = [openHome(storage).hermes, openHome(storage).hermes]
    expect(await unnamed.session('one').systemBlock()).toBe(block)
    expect(await unnamed.sessions.get('one')).toMatchObject({ ok: true, value: { project: 'webshop' } })
    expect(await named.session('one', { project: 'webshop' }).systemBlock()).toBe(block)
    must(await unnamed.memory.add('project', 'Tests need a database', { project: 'webshop' }))
    expect(await unnamed.session('one').refresh()).toContain('Tests need a database')
  })

  it('hands its project on to the session that it goes on as, also before its record was read', async () => {
    const { hermes, storage } = await home()
    await hermes.session('one', { project: 'webshop' }).systemBlock()
    await hermes.settled()
    for (const reason of ['compress', 'branch'] as const) {
      const next = openHome(storage).hermes
      expect(await next.session('one').switchTo(reason, reason).systemBlock()).toContain('make ship')
      expect(must(await next.sessions.get(reason))).toMatchObject({ project: 'webshop' })
    }
    const plain = openHome(storage).hermes
    expect(await plain.session('plain').switchTo('later', 'compress').systemBlock()).not.toContain('make ship')
  })

  it('takes the project of createHermes if it names none', async () => {
    const { storage } = await home()
    const { hermes } = openHome(storage, { project: 'blog' })
    expect(await hermes.session('one').systemBlock()).toContain('Hugo')
    expect(await hermes.session('two', { project: 'webshop' }).systemBlock()).not.toContain('Hugo')
    expect(must(await hermes.memory.list('project')).map(({ content }) => content)).toEqual(['The blog is written in Hugo'])
    expect(await hermes.projects()).toEqual({ ok: true, value: ['blog', 'webshop'] })
  })

  it('refuses another project in the same process', async () => {
    const { hermes } = await home()
    await hermes.session('one', { project: 'webshop' }).systemBlock()
    await hermes.session('plain').systemBlock()
    expect(() => hermes.session('one', { project: 'blog' })).toThrow("Session 'one' is of the project 'webshop'")
    expect(() => hermes.session('plain', { project: 'blog' })).toThrow("Session 'plain' began without a project")
    expect(() => hermes.session('new', { project: '' })).toThrow('The project must be a name')
  })

  it('goes on without memory in a process that opens it with another project, stores nothing of it, and says so', async () => {
    const { hermes, storage } = await home()
    const first = hermes.session('one', { project: 'webshop' })
    await first.systemBlock()
    talk(first, [], 'hello')
    await hermes.settled()
    const stored = must(await hermes.sessions.get('one'))
    const other = openHome(storage, { nudge: { memoryInterval: 1, skillInterval: 0 } })
    const session = other.hermes.session('one', { project: 'blog' })
    expect(await session.systemBlock()).toBe('')
    const requests: string[] = []
    const model: HostModel = async ({ messages }) => {
      requests.push(JSON.stringify(messages))
      return '{"proposals": []}'
    }
    talk(session, [], 'The blog moved to Astro', model)
    const [tool] = session.offerTools({ only: ['memory'] })
    const reply = await tool?.execute({ target: 'project', action: 'add', content: 'The blog moved to Astro' })
    expect(reply).toMatchObject({ success: false, code: 'wiring' })
    await other.hermes.settled()
    expect(other.events).toContainEqual(expect.objectContaining({ type: 'wiring-failed', mistake: 'other-project', sessionId: 'one' }))
    expect(must(await other.hermes.sessions.get('one'))).toEqual(stored)
    expect(requests).toEqual([])
    // The right project finds the session as it was.
    expect(await other.hermes.session('one', { project: 'webshop' }).systemBlock()).toContain('make ship')
  })
})

describe('the memory tool', () => {
  const targets = (tool: { readonly jsonSchema: unknown } | undefined): unknown => JSON.stringify(tool?.jsonSchema)

  it('has the target project only in a session with one, and is otherwise the same to the byte', async () => {
    const { hermes } = await home()
    const [plain] = hermes.session('plain').offerTools({ only: ['memory'] })
    const [own] = hermes.session('own', { project: 'webshop' }).offerTools({ only: ['memory'] })
    expect(targets(plain)).not.toContain('project')
    expect(targets(own)).toContain('["memory","user","project"]')
    expect(plain?.description).not.toContain('project:')
    expect(own?.description).toContain('project: notes on this project alone')
  })

  it('of all sessions has it if calls name projects, and is otherwise the same to the byte', async () => {
    const { hermes, storage } = await home()
    const bytes = (tools: readonly unknown[]) => JSON.stringify(tools)
    const all = hermes.offerTools({ only: ['memory'] })
    expect(bytes(all)).toBe(bytes(hermes.session('plain').offerTools({ only: ['memory'] })))
    expect(targets(hermes.offerTools({ only: ['memory'], projects: true })[0])).toContain('["memory","user","project"]')
    expect(targets(openHome(storage, { project: 'blog' }).hermes.offerTools({ only: ['memory'] })[0])).toContain('project')
  })

  it('writes into the project of its session, and its replies show no other', async () => {
    const { hermes } = await home()
    const session = hermes.session('own', { project: 'webshop' })
    await session.systemBlock()
    session.beginStep([{ role: 'user', text: 'Remember that orders live in Postgres' }])
    const [tool] = session.offerTools({ only: ['memory'] })
    const add = await tool?.execute({ target: 'project', action: 'add', content: 'Orders live in Postgres' })
    expect(add).toMatchObject({ success: true, target: 'project', entry_count: 2 })
    expect(JSON.stringify(add)).toContain('MEMORY.md of the project: added 1 entry.')
    const missing = await tool?.execute({ target: 'project', action: 'remove', old_text: 'Hugo' })
    expect(JSON.stringify(missing)).not.toContain('The blog is')
    expect(must(await hermes.memory.list('project', { project: 'blog' })).map(({ content }) => content)).toEqual([
      'The blog is written in Hugo',
    ])
    const written = must(await hermes.memory.list('project', { project: 'webshop' }))
    expect(written.map(({ content, by }) => [content, by])).toContainEqual(['Orders live in Postgres', 'user'])
    const [record] = must(await hermes.journal.list({ text: 'Orders live' }))
    expect(record).toMatchObject({ kind: 'applied', target: 'project', project: 'webshop', actor: 'agent' })
  })
})

describe('the catalogue of skills', () => {
  it('lists first what was learned in the project of the session', async () => {
    const storage = inMemoryBackend()
    const { hermes } = openHome(storage, { nudge: { memoryInterval: 0, skillInterval: 1 }, trust: 'open' })
    const skill = (name: string) => `---\nname: ${name}\ndescription: Ships the ${name}\n---\n\n1. Say ship it.\n`
    must(await hermes.skillStore().create({ name: 'alpha', content: skill('alpha'), category: 'ops' }))
    const model: HostModel = async () =>
      JSON.stringify({
        proposals: [
          {
            target: 'skill',
            op: { action: 'create', name: 'zulu', category: 'ops', content: skill('zulu') },
            rationale: 'said',
            score: 0.9,
            evidence: [{ quote: 'Ships the zulu' }],
          },
        ],
      })
    const session = hermes.session('one', { project: 'webshop' })
    session.recordTurn({
      messages: [
        { role: 'user', text: skill('zulu') },
        { role: 'assistant', text: 'ok' },
      ],
      toolIterations: 1,
      model,
    })
    await hermes.settled()
    for (const held of must(await hermes.pending.list())) {
      expect(held.project).toBe('webshop')
      must(await hermes.pending.approve(held.id))
    }
    const skillsOf = async (project: string) => {
      const block = await (() => {
        const opened = hermes.session(`later in ${project}`, { project })
        opened.offerTools()
        return opened.systemBlock()
      })()
      return block.match(/^(?:ops.*|- (?:alpha|zulu))/gm)
    }
    expect(await skillsOf('webshop')).toEqual(['ops (learned in this project):', '- zulu', 'ops:', '- alpha'])
    expect(await skillsOf('blog')).toEqual(['ops:', '- alpha', '- zulu'])
  })
})
