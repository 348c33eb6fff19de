import { describe, expect, it } from 'vitest'
import { MemoryStore } from '../../src/memory/memory-store.ts'
import { SkillStore } from '../../src/skills/skill-store.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { updateDocument } from '../../src/storage/one-document.ts'
import { TRUE_CREDENTIALS } from './true-credentials.ts'

const VALUE = 'hunter2hunter2'
const LINE = `The password is ${VALUE}`
const skill = (body: string) => `---\nname: deploy\ndescription: How to deploy.\n---\n\n${body}\n`

describe('a memory store', () => {
  it('refuses every credential, whoever writes, and says what to do without repeating it', async () => {
    const store = new MemoryStore({ storage: inMemoryBackend() })
    for (const text of Object.values(TRUE_CREDENTIALS).flat()) {
      const added = await store.apply('memory', { action: 'add', content: text })
      expect(added.ok, text).toBe(false)
      if (added.ok) continue
      expect(added.error.code).toBe('blocked')
      expect(added.error.message).toMatch(/password manager/)
      expect(JSON.stringify([added.error.message, added.error.details])).not.toContain(text)
    }
    expect(store.entries('memory')).toEqual([])
  })

  it('refuses one in a replacement and in a batch, and changes nothing then', async () => {
    const store = new MemoryStore({ storage: inMemoryBackend() })
    await store.apply('user', { action: 'add', content: 'Likes tea' })
    const replaced = await store.apply('user', { action: 'replace', oldText: 'tea', content: LINE })
    const batch = await store.apply('user', [
      { action: 'add', content: 'Lives in Porto' },
      { action: 'add', content: LINE },
    ])
    for (const refused of [replaced, batch]) {
      expect(refused).toMatchObject({ ok: false, error: { code: 'blocked', details: { findings: ['credential'] } } })
      if (!refused.ok) expect(refused.error.message).not.toContain(VALUE)
    }
    expect(await store.current('user')).toEqual({ ok: true, value: ['Likes tea'] })
  })

  it('shows a placeholder for one that was written by hand, and lets it be removed', async () => {
    const storage = inMemoryBackend()
    await updateDocument(storage, 'memories/MEMORY.md', () => new TextEncoder().encode(`Likes tea\n§\n${LINE}\n`))
    const store = new MemoryStore({ storage })
    await store.load()
    expect(store.renderSnapshot('memory')).toContain('Likes tea')
    expect(store.renderSnapshot('memory')).toContain('[BLOCKED: MEMORY.md entry: credential.')
    expect(store.renderSnapshot('memory')).not.toContain(VALUE)
    expect(await store.apply('memory', { action: 'remove', oldText: LINE })).toMatchObject({ ok: true })
  })
})

describe('a skill store', () => {
  const made = async () => {
    const store = new SkillStore({ storage: inMemoryBackend() })
    expect(await store.create({ name: 'deploy', content: skill('Run the script.') })).toMatchObject({ ok: true })
    return store
  }

  it('refuses a credential in a new SKILL.md, an edit, a patch and a support file', async () => {
    const store = await made()
    const refusals = [
      await store.create({ name: 'other', content: skill(LINE).replace('deploy', 'other') }),
      await store.edit('deploy', skill(LINE)),
      await store.patch('deploy', { oldText: 'Run the script.', newText: LINE }),
      await store.writeFile('deploy', 'references/login.md', LINE),
      await store.writeFile('deploy', 'scripts/login.sh', new TextEncoder().encode('export DB_PASSWORD=s3cr3tpw9\n')),
    ]
    for (const refused of refusals) {
      expect(refused).toMatchObject({ ok: false, error: { code: 'blocked' } })
      if (!refused.ok) expect(JSON.stringify([refused.error.message, refused.error.details])).not.toMatch(/hunter2|s3cr3t/)
    }
    expect(await store.view('deploy')).toMatchObject({ value: { content: skill('Run the script.') } })
  })

  it('refuses one that a patch puts together', async () => {
    const store = await made()
    await store.writeFile('deploy', 'references/login.md', 'password: HERE')
    expect(await store.patch('deploy', { filePath: 'references/login.md', oldText: 'HERE', newText: VALUE })).toMatchObject({
      ok: false,
      error: { code: 'blocked' },
    })
  })
})
