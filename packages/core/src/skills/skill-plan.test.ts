import { describe, expect, test } from 'vitest'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import type { SkillOp } from './skill-op.ts'
import { SkillStore } from './skill-store.ts'

const text = (name: string, body: string) => `---\nname: ${name}\ndescription: How to ${name}.\n---\n\n${body}\n`
const deploy = 'skills/devops/deploy/SKILL.md'

const setUp = async () => {
  const storage = inMemoryBackend()
  const store = new SkillStore({ storage })
  await store.create({ name: 'deploy', category: 'devops', content: text('deploy', '1. Build.') })
  await store.writeFile('deploy', 'references/hosts.md', 'one\n')
  const plan = async (op: SkillOp) => {
    const planned = await store.plan(op)
    if (!planned.ok) throw planned.error
    return planned.value
  }
  const contents = async () => {
    const listed = await storage.list('skills')
    const read = await Promise.all((listed.ok ? listed.value : []).map(({ path }) => readDocument(storage, path)))
    return read.map((each) => (each.ok && each.value ? new TextDecoder().decode(each.value.bytes) : ''))
  }
  return { storage, store, plan, contents }
}

const ops: readonly SkillOp[] = [
  { action: 'create', name: 'release', content: text('release', '1. Tag.') },
  { action: 'edit', name: 'deploy', content: text('deploy', '1. Test.') },
  { action: 'patch', name: 'deploy', oldText: 'Build', newText: 'Compile' },
  { action: 'write_file', name: 'deploy', filePath: 'references/hosts.md', content: 'two\n' },
  { action: 'write_file', name: 'deploy', filePath: 'references/new.md', content: 'new\n' },
  { action: 'remove_file', name: 'deploy', filePath: 'references/hosts.md' },
  { action: 'archive', name: 'deploy' },
]

describe('a planned change of a skill', () => {
  test.each(ops)('writes nothing until it is carried out, and then what was planned: $action', async (op) => {
    const { storage, store, plan, contents } = await setUp()
    const before = await contents()
    const planned = await plan(op)
    expect(await contents()).toEqual(before)

    expect(await store.commit(planned, 'not needed')).toMatchObject({ ok: true })
    const after = await readDocument(storage, `skills/${planned.skill.path}/${planned.filePath}`)
    expect(after.ok && after.value?.bytes).toEqual(planned.next)
    expect(await contents()).not.toEqual(before)
  })

  test.each(ops.slice(1, 6))('is not carried out on another version of the file: $action', async (op) => {
    const { storage, store, plan } = await setUp()
    const planned = await plan(op)
    const path = `skills/devops/deploy/${planned.filePath}`
    const other = new TextEncoder().encode(text('deploy', '1. Build, by somebody else.'))
    await updateDocument(storage, path, () => other)
    expect(await store.commit(planned, 'not needed')).toMatchObject({ ok: false, error: { code: 'drift' } })
    const left = await readDocument(storage, path)
    expect(left.ok && left.value?.bytes).toEqual(other)
  })

  test('leaves no file behind where its skill has moved away', async () => {
    const { storage, store, plan } = await setUp()
    const planned = await plan({ action: 'write_file', name: 'deploy', filePath: 'references/new.md', content: 'new\n' })
    await store.archive('deploy', { reason: 'not needed' })
    expect(await store.commit(planned, '')).toMatchObject({ ok: false, error: { code: 'not_found' } })
    expect(await readDocument(storage, 'skills/devops/deploy/references/new.md')).toMatchObject({ value: undefined })
  })

  test('does not bring back a skill that is gone', async () => {
    const { storage, store, plan } = await setUp()
    const planned = await plan({ action: 'patch', name: 'deploy', oldText: 'Build', newText: 'Compile' })
    await store.archive('deploy', { reason: 'not needed' })
    expect(await store.commit(planned, '')).toMatchObject({ ok: false, error: { code: 'not_found' } })
    expect(await readDocument(storage, deploy)).toMatchObject({ value: undefined })
  })

  test('of a new skill fails where another writer took the name in between', async () => {
    const { store, plan } = await setUp()
    const planned = await plan({ action: 'create', name: 'release', content: text('release', '1. Tag.') })
    await store.create({ name: 'release', category: 'ops', content: text('release', '1. Mine.') })
    expect(await store.commit(planned, '')).toMatchObject({ ok: false, error: { code: 'occupied' } })
    expect(await store.plan({ action: 'create', name: 'release', content: text('release', '1. Tag.') })).toMatchObject({
      ok: false,
      error: { code: 'occupied' },
    })
  })
})
