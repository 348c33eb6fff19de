import { expect, it } from 'vitest'
import { skillText, write } from '../../test/support/skill-library.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import { grantManagement, listGrants, revokeManagement } from './grants.ts'
import { MANAGED_PATH } from './skill-ownership.ts'

const NOW = Date.UTC(2026, 5, 1)
const clock = () => NOW

const open = () => {
  const storage = inMemoryBackend()
  const text = async () => {
    const read = await readDocument(storage, MANAGED_PATH)
    return read.ok && read.value ? new TextDecoder().decode(read.value.bytes) : undefined
  }
  const grants = async () => {
    const listed = await listGrants(storage, clock)
    if (!listed.ok) throw listed.error
    return listed.value
  }
  return { storage, text, grants }
}

it('writes a grant in words that a person can read and edit', async () => {
  const { storage, text } = open()
  const granted = await grantManagement(
    storage,
    clock,
    { skills: [' deploy ', 'deploy', 'lint'] },
    { allow: ['archive', 'stale'], until: NOW + 1 },
  )
  expect(granted).toMatchObject({ ok: true, value: { scope: { skills: ['deploy', 'lint'] } } })
  expect(JSON.parse((await text()) ?? '')).toEqual({
    grants: [
      {
        skills: ['deploy', 'lint'],
        allow: ['stale', 'archive'],
        until: '2026-06-01T00:00:00.001000+00:00',
        granted_at: '2026-06-01T00:00:00+00:00',
      },
    ],
  })
})

it('refuses to hand over what came with the product or from a hub, however it is named, and writes nothing', async () => {
  const { storage, text } = open()
  await write(storage, {
    'skills/.bundled_manifest': 'plan:1\nlater:2\n',
    'skills/.hub/lock.json': JSON.stringify({ installed: { pdf: { install_path: 'docs/pdf' } } }),
    'skills/software/other/SKILL.md': skillText('plan'),
    'skills/docs/pdf/SKILL.md': skillText('pdf-wizard'),
    'skills/deploy/SKILL.md': skillText('deploy'),
  })
  for (const named of ['plan', 'software/other', 'other', 'later', 'pdf', 'docs/pdf', 'pdf-wizard']) {
    expect(await grantManagement(storage, clock, { skills: ['deploy', named] })).toMatchObject({
      ok: false,
      error: { code: 'rejected', message: expect.stringContaining(`'${named}'`), details: { skills: [named] } },
    })
  }
  expect(await text()).toBeUndefined()
  expect(await grantManagement(storage, clock, { skills: ['deploy'] })).toMatchObject({ ok: true })
})

it('allows every step without an end by default', async () => {
  const { storage, grants } = open()
  await grantManagement(storage, clock, { all: true })
  expect((await grants()).grants).toEqual([
    { scope: { all: true }, allow: ['stale', 'archive', 'merge'], until: undefined, grantedAt: NOW },
  ])
})

it('lets the newer grant decide about a skill, a category, or all', async () => {
  const { storage, grants } = open()
  await grantManagement(storage, clock, { skills: ['a', 'b'] })
  await grantManagement(storage, clock, { skills: ['b'] }, { allow: ['stale'] })
  for (const allow of [['stale'], ['archive']] as const) {
    await grantManagement(storage, clock, { category: 'devops' }, { allow })
    await grantManagement(storage, clock, { all: true }, { allow })
  }
  expect((await grants()).grants.map(({ scope, allow }) => [scope, allow.length])).toEqual([
    [{ skills: ['a'] }, 3],
    [{ skills: ['b'] }, 1],
    [{ category: 'devops' }, 1],
    [{ all: true }, 1],
  ])
})

it('keeps every grant that is made at the same time', async () => {
  const { storage, grants } = open()
  await Promise.all(Array.from({ length: 20 }, (_, index) => grantManagement(storage, clock, { skills: [`skill-${index}`] })))
  expect((await grants()).grants).toHaveLength(20)
})

it('takes back a skill without touching the others, and says if nothing was handed over by that name', async () => {
  const { storage, grants } = open()
  await grantManagement(storage, clock, { skills: ['a', 'b'] })
  await grantManagement(storage, clock, { category: 'devops' })
  expect(await revokeManagement(storage, { skills: ['a'] })).toMatchObject({ ok: true })
  expect((await grants()).grants.map(({ scope }) => scope)).toEqual([{ skills: ['b'] }, { category: 'devops' }])
  for (const scope of [{ skills: ['a'] }, { category: 'dev' }, { all: true }] as const) {
    expect(await revokeManagement(storage, scope)).toMatchObject({ ok: false, error: { code: 'not_found' } })
  }
  await revokeManagement(storage, { skills: ['b'] })
  await revokeManagement(storage, { category: 'devops' })
  expect((await grants()).grants).toEqual([])
})

it('lists apart what has ended', async () => {
  const { storage, grants } = open()
  await grantManagement(storage, () => NOW - 10, { all: true }, { until: NOW })
  await grantManagement(storage, clock, { category: 'x' }, { until: NOW + 1 })
  expect(await grants()).toMatchObject({ grants: [{ scope: { category: 'x' } }], ended: [{ scope: { all: true } }] })
})

it('refuses a grant that names nothing, allows nothing, or is over before it begins', async () => {
  const { storage, text } = open()
  const attempts = [
    grantManagement(storage, clock, { skills: [] }),
    grantManagement(storage, clock, { skills: ['a', ' '] }),
    grantManagement(storage, clock, { category: '/' }),
    grantManagement(storage, clock, { all: true }, { allow: [] }),
    grantManagement(storage, clock, { all: true }, { until: NOW }),
    grantManagement(storage, clock, { all: true }, { until: Number.NaN }),
    // @ts-expect-error: as a caller without types would
    grantManagement(storage, clock, { all: true }, { allow: ['delete'] }),
  ]
  for (const attempt of attempts) expect(await attempt).toMatchObject({ ok: false, error: { code: 'invalid' } })
  expect(await text()).toBeUndefined()
})

it('writes over no document that it cannot read', async () => {
  const { storage, text } = open()
  await updateDocument(storage, MANAGED_PATH, () => new TextEncoder().encode('{"grants": oops'))
  expect(await grantManagement(storage, clock, { all: true })).toMatchObject({ ok: false, error: { code: 'unreadable' } })
  expect(await revokeManagement(storage, { all: true })).toMatchObject({ ok: false, error: { code: 'unreadable' } })
  expect(await listGrants(storage, clock)).toMatchObject({ ok: false, error: { code: 'unreadable' } })
  expect(await text()).toBe('{"grants": oops')
})
