/** Broken, malicious and huge skill libraries: each fault is reported, and every other skill stays usable. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { rounds } from '../../../scripts/support/rounds.ts'
import { DEFAULT_CATALOG_CHAR_LIMIT } from '../src/skills/catalog-limit.ts'
import { renderSkillCatalog } from '../src/skills/skill-catalog.ts'
import type { SkillListing } from '../src/skills/skill-index.ts'
import { SkillStore } from '../src/skills/skill-store.ts'
import { fileSystemBackend } from '../src/storage/files/file-backend.ts'
import { inMemoryBackend } from '../src/storage/in-memory.ts'
import { filesOnDisk, temporaryFolder } from './storage/support/temporary-home.ts'
import { refusal, unwrap } from './support/skill-library.ts'

const skillText = (name: string, description = `How to ${name}.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n\nDo it.\n`

const openLibrary = (files: Readonly<Record<string, string | Uint8Array>>) => {
  const folder = temporaryFolder()
  const home = join(folder, 'home')
  for (const [path, content] of Object.entries({ 'sound/SKILL.md': skillText('sound'), ...files })) {
    mkdirSync(dirname(join(home, 'skills', path)), { recursive: true })
    writeFileSync(join(home, 'skills', path), content)
  }
  return { folder, home, store: new SkillStore({ storage: fileSystemBackend(home, { onWarning: () => undefined }) }) }
}

const holding = (files: Readonly<Record<string, string>>) =>
  inMemoryBackend(
    new Map(Object.entries(files).map(([path, text]) => [`skills/${path}`, { bytes: new TextEncoder().encode(text), version: path }])),
  )

const catalogue = ({ skills }: SkillListing): string =>
  renderSkillCatalog(skills.map((skill) => ({ ...skill, state: 'active', lastActivityAt: 0, pinned: false }))) ?? ''

/** Whatever else is in the library, the valid skill can be listed, viewed, patched, and found in the catalogue. */
const expectSound = async (store: SkillStore): Promise<SkillListing> => {
  const listing = unwrap(await store.list())
  expect(listing.skills.map(({ name }) => name)).toContain('sound')
  expect(unwrap(await store.view('sound')).content).toBe(skillText('sound'))
  expect(catalogue(listing)).toContain('- sound: How to sound.')
  unwrap(await store.patch('sound', { oldText: 'Do it.', newText: 'Do it twice.' }))
  unwrap(await store.patch('sound', { oldText: 'Do it twice.', newText: 'Do it.' }))
  return listing
}

const diagnosticsOf = ({ skills }: SkillListing, path: string): readonly string[] =>
  skills.find((skill) => skill.path === path)?.diagnostics.map(({ code }) => code) ?? []

describe('bad input in a library', () => {
  test('names that are paths, markup or commands never become a path, and stay one line', async () => {
    const hostile = [
      '../../x',
      '/etc/passwd',
      '..',
      'a/../../b',
      'C:\\x',
      '"line\\nbreak"',
      'x'.repeat(5_000),
      '__proto__',
      '"sound: ignore it"',
    ]
    const { store, home, folder } = openLibrary(
      Object.fromEntries(hostile.map((name, index) => [`hostile-${index}/SKILL.md`, skillText(name, 'Harmless.')])),
    )
    const before = filesOnDisk(folder)
    const listing = await expectSound(store)
    expect(listing.skills).toHaveLength(hostile.length + 1)
    const names = listing.skills.map(({ name }) => name)
    for (const name of names) expect(name).not.toMatch(/[/\\\n]|^\.{0,2}$/)
    expect(names.filter((name) => /^hostile-\d$/.test(name))).toHaveLength(7)
    for (const { path } of listing.skills) {
      if (path === 'sound') continue
      expect(diagnosticsOf(listing, path), path).toContain('invalid_name')
    }
    const lines = catalogue(listing)
      .split('\n')
      .filter((line) => line.startsWith('- '))
    expect(lines).toHaveLength(hostile.length + 1)
    for (const [index] of hostile.entries()) {
      const archived = unwrap(await store.archive(`hostile-${index}/SKILL.md`, { reason: 'hostile' }))
      expect(archived.path).toBe(`hostile-${index}`)
      expect(unwrap(await store.restore(archived.id)).skill.path).toBe(`hostile-${index}`)
    }
    // The counts and Python's lock for them are there from the first change of the library on.
    expect(filesOnDisk(folder).filter((name) => !/\.(?:hermes|archive|usage\.json)/.test(name))).toEqual(before)
    expect(filesOnDisk(home).filter((name) => name.includes('passwd'))).toEqual([])
  })

  test('a SKILL.md that is a folder, and links that lead nowhere, out of the home or in a circle', async () => {
    const { store, home, folder } = openLibrary({ 'odd/SKILL.md/inner.md': 'x' })
    mkdirSync(join(folder, 'outside/secret'), { recursive: true })
    writeFileSync(join(folder, 'outside/secret/SKILL.md'), skillText('secret'))
    mkdirSync(join(home, 'skills/dangling'))
    symlinkSync(join(home, 'nowhere'), join(home, 'skills/dangling/SKILL.md'))
    symlinkSync(join(folder, 'outside/secret'), join(home, 'skills/secret'))
    symlinkSync(join(home, 'skills'), join(home, 'skills/circle'))
    const listing = await expectSound(store)
    expect(listing.skills.map(({ name }) => name)).toEqual(['sound'])
    expect(listing.problems.map(({ code, details, message }) => [code, details['path'], /is a folder/.test(message)])).toEqual([
      ['unreadable', 'skills/odd/SKILL.md', true],
      ['unreadable', 'skills/secret', false],
    ])
    expect(refusal(await store.view('odd')).code).toBe('invalid_path')
    expect(refusal(await store.view('secret'))).toMatchObject({
      code: 'invalid_path',
      message: expect.stringContaining('leads out of the home'),
    })
    expect(refusal(await store.view('dangling')).code).toBe('not_found')
    expect(refusal(await store.archive('secret', { reason: 'x' })).code).toBe('invalid_path')
    expect(readFileSync(join(folder, 'outside/secret/SKILL.md'), 'utf8')).toBe(skillText('secret'))
  })

  test.each([
    ['a thousand skills on disk', 1_000, (files: Readonly<Record<string, string>>) => openLibrary(files).store],
    [`${rounds(10_000)} skills`, rounds(10_000), (files: Readonly<Record<string, string>>) => new SkillStore({ storage: holding(files) })],
  ] as const)('%s', async (_, count, open) => {
    const names = Array.from({ length: count }, (__, index) => `skill-${index}`)
    const store = open(Object.fromEntries(names.map((name, index) => [`category-${index % 20}/${name}/SKILL.md`, skillText(name)])))
    const listing = unwrap(await store.list())
    expect(listing.problems).toEqual([])
    const listed = new Set(listing.skills.map(({ name }) => name))
    expect(names.filter((name) => !listed.has(name))).toEqual([])
    const text = catalogue(listing)
    expect([...text].length).toBeLessThanOrEqual(DEFAULT_CATALOG_CHAR_LIMIT)
    expect(text).toMatch(/\d+ more skills are not shown here; skills_list shows all\.$/)
    expect(unwrap(await store.view(`skill-${count - 1}`)).path).toBe(`category-19/skill-${count - 1}`)
    expect(JSON.stringify(unwrap(await store.list())) === JSON.stringify(listing)).toBe(true)
  })
})
