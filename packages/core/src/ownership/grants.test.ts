import { expect, it } from 'vitest'
import { skillText, write } from '../../test/support/skill-library.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import { newUsageRecord } from '../usage/usage-record.ts'
import { grantManagement, listGrants, revokeManagement } from './grants.ts'
import {
  describeProtection,
  type GrantedStep,
  type GrantScope,
  judgeOwnership,
  MANAGED_PATH,
  NO_OWNERSHIP_MARKS,
  type OwnershipGrant,
  type OwnershipMarks,
  protectionAgainst,
  readOwnershipMarks,
} from './skill-ownership.ts'

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

const openWith = async (files: Readonly<Record<string, string | Uint8Array>>) => {
  const storage = inMemoryBackend()
  for (const [path, content] of Object.entries(files)) {
    const written = await updateDocument(storage, path, () => (typeof content === 'string' ? new TextEncoder().encode(content) : content))
    expect(written.ok).toBe(true)
  }
  return storage
}

const marksOf = async (files: Readonly<Record<string, string | Uint8Array>>) => {
  const marks = await readOwnershipMarks(await openWith(files), { clock: () => NOW })
  if (!marks.ok) throw marks.error
  return marks.value
}

const skill = (path: string, name = path.slice(path.lastIndexOf('/') + 1)) => ({
  name,
  path,
  folderName: path.slice(path.lastIndexOf('/') + 1),
  category: path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : undefined,
})

const ownerOf = async (files: Readonly<Record<string, string>>, path: string, name?: string) =>
  judgeOwnership(skill(path, name), undefined, await marksOf(files)).owner

it('takes every skill for a user’s if there are no marks', async () => {
  expect(await ownerOf({}, 'deploy')).toBe('user')
})

it('reads the bundled manifest line by line, with or without a hash, past comments and blank lines', async () => {
  const files = { 'skills/.bundled_manifest': '\uFEFFfirst:1\r\n# note:2\r\n\r\nplan:0badcafe\n  older  \n' }
  for (const name of ['first', 'plan', 'older']) expect(await ownerOf(files, `software/${name}`)).toBe('bundled')
  for (const name of ['note', '# note', 'pla']) expect(await ownerOf(files, name)).toBe('user')
})

it('knows a bundled skill by its front matter’s name as well', async () => {
  expect(await ownerOf({ 'skills/.bundled_manifest': 'plan:1' }, 'software/other-folder', 'plan')).toBe('bundled')
})

it('recognises a hub skill by its key in the lock, by its folder, and by the name in its SKILL.md', async () => {
  const files = {
    'skills/.hub/lock.json': JSON.stringify({
      version: 1,
      installed: {
        'pdf-tools': { install_path: 'docs/pdf', source: 'x' },
        bare: {},
        odd: 'text',
        absolute: { install_path: '/home/a/.hermes/skills/x/y' },
      },
    }),
    'skills/docs/pdf/SKILL.md': '---\nname: pdf-wizard\ndescription: d\n---\nb\n',
  }
  for (const [path, name] of [['pdf-tools'], ['docs/pdf'], ['elsewhere/copy', 'pdf-wizard'], ['bare'], ['odd'], ['x/y']] as const) {
    expect(await ownerOf(files, path, name)).toBe('hub')
  }
  expect(await ownerOf(files, 'pdf')).toBe('user')
})

it('knows every skill in a folder that came from the hub, and a folder called skills inside the library', async () => {
  const installed = { pack: { install_path: 'packs/office' }, deep: { install_path: 'a/skills/deploy' } }
  const files = { 'skills/.hub/lock.json': JSON.stringify({ installed }) }
  for (const path of ['packs/office', 'packs/office/letters', 'packs/office/sheets/pivot', 'a/skills/deploy']) {
    expect(await ownerOf(files, path)).toBe('hub')
  }
  for (const path of ['packs', 'packs/office-2', 'packs/other']) expect(await ownerOf(files, path)).toBe('user')
})

it('says hub before bundled, as the hub updates what it owns', async () => {
  const files = { 'skills/.bundled_manifest': 'x:1', 'skills/.hub/lock.json': '{"installed":{"x":{}}}' }
  expect(await ownerOf(files, 'x')).toBe('hub')
})

it('fails closed if any of the marks is corrupt', async () => {
  const broken: readonly (readonly [string, string | Uint8Array])[] = [
    ['skills/.bundled_manifest', new Uint8Array([0x66, 0xff, 0xfe])],
    ['skills/.hub/lock.json', '{oops'],
    ['skills/.hub/lock.json', '{"installed":["x"]}'],
    ['curator/managed.json', '[]'],
    ['curator/managed.json', '{"grants":[{"all":true,"allow":["stale"],"untill":"2026-01-01"}]}'],
    ['curator/managed.json', '{"grants":[{"all":true,"allow":["delete"]}]}'],
    ['curator/managed.json', '{"grants":[{"all":true,"allow":["stale"],"until":"soon"}]}'],
  ]
  for (const [path, content] of broken) {
    const marks = await readOwnershipMarks(await openWith({ [path]: content }))
    expect(marks).toMatchObject({ ok: false, error: { code: 'unreadable', details: { path } } })
  }
})

it('leaves out grants that have ended', async () => {
  const grants = [
    { all: true, allow: ['stale'], until: '2026-06-01T00:00:00+00:00' },
    { category: 'devops', allow: ['archive'], until: '2026-06-01T00:00:00.001Z' },
  ]
  const marks = await marksOf({ 'curator/managed.json': JSON.stringify({ grants }) })
  expect(marks.grants).toMatchObject([{ scope: { category: 'devops' } }])
})

const DEPLOY = { name: 'deploy', path: 'devops/cloud/k8s-deploy', folderName: 'k8s-deploy', category: 'devops/cloud' }
const recordBy = (createdBy: string | null, pinned = false) => ({ ...newUsageRecord(1, createdBy), pinned })

const granted = (scope: GrantScope, allow: readonly GrantedStep[] = ['stale', 'archive', 'merge'], grantedAt = 5): OwnershipMarks => ({
  ...NO_OWNERSHIP_MARKS,
  grants: [{ scope, allow, until: undefined, grantedAt }] satisfies OwnershipGrant[],
})

it('leaves only what the agent wrote to automatic paths', () => {
  expect(judgeOwnership(DEPLOY, recordBy('agent'), NO_OWNERSHIP_MARKS)).toEqual({ owner: 'agent', pinned: false })
  for (const record of [undefined, recordBy(null), recordBy('user'), recordBy('installed'), recordBy('Agent')]) {
    expect(judgeOwnership(DEPLOY, record, NO_OWNERSHIP_MARKS)).toEqual({ owner: 'user', pinned: false, protection: 'not-agent-created' })
  }
})

it('protects a pinned skill whoever owns it, and bundled and hub ones whoever is said to have written them', () => {
  expect(judgeOwnership(DEPLOY, recordBy('agent', true), NO_OWNERSHIP_MARKS).protection).toBe('pinned')
  const bundled = { ...NO_OWNERSHIP_MARKS, bundled: new Set(['deploy']) }
  expect(judgeOwnership(DEPLOY, recordBy('agent'), bundled).protection).toBe('bundled')
  expect(judgeOwnership(DEPLOY, recordBy('agent', true), bundled)).toMatchObject({ owner: 'bundled', protection: 'pinned' })
  const hub = { ...NO_OWNERSHIP_MARKS, hub: { names: new Set<string>(), paths: new Set([DEPLOY.path]) } }
  expect(judgeOwnership(DEPLOY, recordBy('agent'), hub).protection).toBe('hub')
})

it('takes a skill as handed over by its name, its folder, its category or one above it, or with all', () => {
  const scopes: readonly GrantScope[] = [
    { skills: ['other', 'deploy'] },
    { skills: ['k8s-deploy'] },
    { skills: ['devops/cloud/k8s-deploy'] },
    { category: 'devops/cloud' },
    { category: 'devops' },
    { all: true },
  ]
  for (const scope of scopes) {
    const ownership = judgeOwnership(DEPLOY, undefined, granted(scope))
    expect(ownership).toMatchObject({ owner: 'user', grant: { grantedAt: 5 } })
    expect(ownership.protection).toBeUndefined()
  }
  for (const scope of [{ skills: ['dep'] }, { category: 'dev' }, { category: 'devops/cloud/k8s-deploy' }] satisfies GrantScope[]) {
    expect(judgeOwnership(DEPLOY, undefined, granted(scope)).protection).toBe('not-agent-created')
  }
})

it('allows only the steps that were granted, and no rewriting of what was handed over for ageing alone', () => {
  const ownership = judgeOwnership(DEPLOY, undefined, granted({ all: true }, ['stale']))
  expect(ownership.protection).toBe('not-agent-created')
  expect([protectionAgainst(ownership, 'stale'), protectionAgainst(ownership, 'archive'), protectionAgainst(ownership, 'merge')]).toEqual([
    undefined,
    'not-agent-created',
    'not-agent-created',
  ])
})

it('adds up the grants that cover a skill', () => {
  const marks = {
    ...NO_OWNERSHIP_MARKS,
    grants: [...granted({ all: true }, ['stale'], 3).grants, ...granted({ category: 'devops' }, ['archive'], 9).grants],
  }
  expect(judgeOwnership(DEPLOY, undefined, marks).grant).toEqual({ allow: ['stale', 'archive'], grantedAt: 9 })
})

it('hands neither pinned nor bundled nor hub skills over', () => {
  const all = granted({ all: true })
  expect(protectionAgainst(judgeOwnership(DEPLOY, recordBy(null, true), all), 'archive')).toBe('pinned')
  expect(protectionAgainst(judgeOwnership(DEPLOY, undefined, { ...all, bundled: new Set(['deploy']) }), 'archive')).toBe('bundled')
  expect(
    protectionAgainst(judgeOwnership(DEPLOY, undefined, { ...all, hub: { names: new Set(['deploy']), paths: new Set() } }), 'stale'),
  ).toBe('hub')
  expect(protectionAgainst(judgeOwnership(DEPLOY, recordBy('agent'), all), 'archive')).toBeUndefined()
})

it('says in a sentence why a skill stays as it is', () => {
  const said = (['pinned', 'bundled', 'hub', 'not-agent-created'] as const).map((protection) => describeProtection(protection, 'deploy'))
  for (const sentence of said) expect(sentence).toMatch(/^The skill 'deploy' .+\.$/)
  expect(new Set(said).size).toBe(4)
})
