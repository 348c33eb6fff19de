import { describe, expect, it, test } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { UsageRecord } from '../usage/usage-record.ts'
import { UsageStore } from '../usage/usage-store.ts'
import { archiveNames, readArchiveName } from './archive.ts'
import type { SkillLog, SkillOp } from './skill-op.ts'
import { SkillStore } from './skill-store.ts'

const text = (name: string, body: string) => `---\nname: ${name}\ndescription: How to ${name}.\n---\n\n${body}\n`

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

describe('every change of a skill with a log', () => {
  const encoder = new TextEncoder()
  const log: SkillLog = {
    path: 'journal/today.jsonl',
    written: ({ kind }) => encoder.encode(`${kind}\n`),
  }
  const verbs: readonly (readonly [string, string, (store: SkillStore) => Promise<Result<unknown>>])[] = [
    ['create', 'changed', (store) => store.create({ name: 'release', content: text('release', '1. Tag.') })],
    ['edit', 'changed', (store) => store.edit('deploy', text('deploy', '1. Test.'))],
    ['patch', 'changed', (store) => store.patch('deploy', { oldText: 'Build', newText: 'Compile' })],
    ['writeFile', 'changed', (store) => store.writeFile('deploy', 'references/new.md', 'new\n')],
    ['removeFile', 'changed', (store) => store.removeFile('deploy', 'references/hosts.md')],
    ['archive', 'archived', (store) => store.archive('deploy', { reason: 'not needed' })],
    ['restore', 'restored', (store) => store.restore('old')],
  ]
  const open = async () => {
    const { storage, store, contents } = await setUp()
    await store.create({ name: 'old', content: text('old', '1. Wait.') })
    await store.archive('old', { reason: 'not needed' })
    const lines = async () => {
      const read = await readDocument(storage, log.path)
      return read.ok && read.value ? new TextDecoder().decode(read.value.bytes) : ''
    }
    return { storage, contents, lines }
  }

  test.each(verbs)('is one update, in which its line is: %s', async (_, kind, change) => {
    const { storage, lines } = await open()
    let updates = 0
    const counted: StorageBackend = {
      ...storage,
      update: (...given) => {
        updates++
        return storage.update(...given)
      },
    }
    expect(await change(new SkillStore({ storage: counted, log: async () => ok(log) }))).toMatchObject({ ok: true })
    expect([updates, await lines()]).toEqual([1, `${kind}\n`])
  })

  test.each(verbs)('leaves neither the change nor its line if the update fails: %s', async (_, __, change) => {
    const { storage, contents, lines } = await open()
    const before = await contents()
    const full: StorageBackend = { ...storage, update: async () => err(new HermesError('no_space', 'The disk is full.')) }
    expect(await change(new SkillStore({ storage: full, log: async () => ok(log) }))).toMatchObject({ error: { code: 'no_space' } })
    expect([await contents(), await lines()]).toEqual([before, ''])
  })

  const counted: readonly (readonly [string, Partial<UsageRecord>])[] = [
    ['edit', { patchCount: 1, lastPatchedAt: 9 }],
    ['patch', { patchCount: 1, lastPatchedAt: 9 }],
    ['writeFile', { patchCount: 1 }],
    ['removeFile', { patchCount: 1 }],
    ['archive', { state: 'archived', archivedAt: 9, patchCount: 0 }],
  ]
  test.each(counted)('also changes the usage record of a skill that has one: %s', async (verb, expected) => {
    const { storage } = await open()
    const usage = new UsageStore({ storage })
    await usage.record('deploy', 'create', { createdBy: 'agent' })
    const [, , change] = verbs.find(([name]) => name === verb) ?? []
    expect(await change?.(new SkillStore({ storage, clock: () => 9 }))).toMatchObject({ ok: true })
    expect(await usage.get('deploy')).toMatchObject({ createdBy: 'agent', ...expected })
  })

  test('counts nothing for a skill that has no record, unless it is restored or its author is named', async () => {
    const { storage } = await open()
    const [store, usage] = [new SkillStore({ storage, clock: () => 9 }), new UsageStore({ storage })]
    await store.edit('deploy', text('deploy', '1. Test.'))
    await store.archive('deploy', { reason: 'not needed' })
    expect(await usage.all()).toEqual(new Map())
    await store.restore('old')
    expect(await usage.get('old')).toMatchObject({ state: 'active', misjudgements: 1, restoredAt: 9 })
    const planned = await store.plan({ action: 'create', name: 'new', content: text('new', '1. Tag.') })
    if (planned.ok) await store.commit(planned.value, '', { createdBy: 'agent', model: 'm-1' })
    expect(await usage.get('new')).toMatchObject({ createdBy: 'agent', createdByModel: 'm-1', createdAt: 9 })
  })

  test('does not take a new skill for an archived one of its name that the agent wrote', async () => {
    const { storage } = await open()
    const [store, usage] = [new SkillStore({ storage }), new UsageStore({ storage })]
    await usage.record('deploy', 'create', { createdBy: 'agent' })
    await store.archive('deploy', { reason: 'not needed' })
    await store.create({ name: 'deploy', content: text('deploy', '1. Mine.') })
    expect(await usage.get('deploy')).toMatchObject({ createdBy: null, state: 'active' })
  })

  test('refuses the archive while the pins cannot be read, and tells where a corrupt sidecar is kept after any other change', async () => {
    const { storage } = await open()
    const problems: unknown[] = []
    const store = new SkillStore({ storage, onProblem: ({ details }) => problems.push(details['keptAside']) })
    await storage.update(['skills/.usage.json'], () => ({ put: { 'skills/.usage.json': encoder.encode('{') }, value: 0 }))
    expect(await store.archive('deploy', { reason: 'not needed' })).toMatchObject({ error: { code: 'unreadable' } })
    const planned = await store.plan({ action: 'edit', name: 'deploy', content: text('deploy', '1. Test.') })
    if (planned.ok) await store.commit(planned.value, '', {})
    expect(problems).toEqual([[expect.stringMatching(/^skills\/\.usage-corrupt\/.*\.json$/)]])
  })
})

const AT = Date.UTC(2026, 4, 12, 10, 15)

describe('readArchiveName', () => {
  it.each([
    ['foo-20260512101500', 'foo', AT],
    ['foo-20260512101500-2', 'foo', AT],
    ['foo-2026-05-12-101500', 'foo', AT],
    ['foo-2026-05-12T10-15-00Z', 'foo', AT],
    ['foo-2026-05-12', 'foo', Date.UTC(2026, 4, 12)],
    ['foo-bar-20260512', 'foo-bar', Date.UTC(2026, 4, 12)],
  ])('takes the time off %s', (name, base, at) => {
    expect(readArchiveName(name)).toEqual({ base, at })
  })

  it.each(['foo', 'foo-2', 'foo-2026', 'foo-20261399', 'foo-20260512259999', '20260512101500', '-20260512', ''])(
    'finds none in %j',
    (name) => {
      expect(readArchiveName(name)).toEqual({ base: name, at: 0 })
    },
  )
})

describe('archiveNames', () => {
  const first = (folderName: string, count: number): readonly string[] => {
    const names = archiveNames(folderName, AT)
    return Array.from({ length: count }, () => String(names.next().value))
  }

  it('offers the name, then with the time, then numbered', () => {
    expect(first('foo', 4)).toEqual(['foo', 'foo-20260512101500', 'foo-20260512101500-2', 'foo-20260512101500-3'])
  })

  it('stays short enough for a file name, and reads back what it made', () => {
    for (const name of ['x'.repeat(255), '文'.repeat(85), '🌍'.repeat(63)]) {
      for (const offered of first(name, 3)) expect(new TextEncoder().encode(`${offered}.json`).length).toBeLessThanOrEqual(255)
    }
    for (const offered of first('foo', 4).slice(1)) expect(readArchiveName(offered)).toEqual({ base: 'foo', at: AT })
  })
})
