import { expect, it } from 'vitest'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { updateDocument } from '../storage/one-document.ts'
import { judgeOwnership, readOwnershipMarks } from './skill-ownership.ts'

const NOW = Date.UTC(2026, 5, 1)

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
