/** Published skills work unchanged: those in two npm packages are copied into a library and used like any other. */
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { renderSkillCatalog } from '../src/skills/skill-catalog.ts'
import { SkillStore } from '../src/skills/skill-store.ts'
import { fileSystemBackend } from '../src/storage/files/file-backend.ts'
import { temporaryFolder } from './storage/support/temporary-home.ts'
import { unwrap } from './support/skill-library.ts'

const PACKAGES = [
  { name: '@electric-sql/client', version: '1.5.28', category: 'electric', skills: 8 },
  { name: '@tanstack/db', version: '0.15.2', category: 'tanstack', skills: 7 },
] as const

/** The folder of an installed package, whatever it exports. */
const folderOf = (name: string): string => {
  const found = createRequire(import.meta.url)
    .resolve.paths(name)
    ?.map((path) => join(path, name))
    .find((path) => existsSync(join(path, 'package.json')))
  if (found === undefined) throw new Error(`The package ${name} is not installed. Run the install again.`)
  return found
}

const versionOf = (folder: string): unknown => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version

const openLibrary = () => {
  const home = temporaryFolder()
  for (const { name, category } of PACKAGES) {
    const target = join(home, 'skills', category)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(folderOf(name), 'skills'), target, { recursive: true })
  }
  return new SkillStore({ storage: fileSystemBackend(home, { onWarning: () => undefined }) })
}

describe('the skills of published packages', () => {
  test.each(PACKAGES)('come from the version of $name that these tests were written for', ({ name, version }) => {
    const installed = versionOf(folderOf(name))
    expect(installed, `${name} is installed as ${installed}, not ${version}: look at its skills again and adapt the numbers here`).toBe(
      version,
    )
  })

  test('are all listed, without an error, with what the open format says about them', async () => {
    const { skills, problems } = unwrap(await openLibrary().list())
    expect(problems).toEqual([])
    for (const { category, skills: count } of PACKAGES)
      expect(
        skills.filter(({ path }) => path.startsWith(`${category}/`)),
        category,
      ).toHaveLength(count)
    for (const { path, name, description } of skills) {
      expect(name, path).not.toBe('')
      expect(description, path).not.toBe('')
    }
    const counts = new Map<string, number>()
    for (const { code } of skills.flatMap(({ diagnostics }) => diagnostics)) counts.set(code, (counts.get(code) ?? 0) + 1)
    // Names with a slash are replaced by their folders; no diagnostic prevents the use of a skill.
    expect(Object.fromEntries(counts)).toEqual({ description_cut: 15, foreign_key: 15, invalid_name: 5, name_mismatch: 5 })
  })

  test('can each be viewed whole, by path and by the address in the catalogue', async () => {
    const store = openLibrary()
    const { skills } = unwrap(await store.list())
    for (const { path } of skills) {
      const view = unwrap(await store.view(path))
      expect(view.document.body.trim(), path).not.toBe('')
      for (const filePath of Object.values(view.linkedFiles).flat())
        expect(unwrap(await store.view(path, filePath)).bytes.length).toBeGreaterThan(0)
    }
    const text = renderSkillCatalog(skills.map((skill) => ({ ...skill, state: 'active', lastActivityAt: 0, pinned: false }))) ?? ''
    const addresses = [...text.matchAll(/^- ([^:]+): /gm)].map(([, address = '']) => address)
    expect(addresses).toHaveLength(skills.length)
    const viewed = await Promise.all(addresses.map(async (address) => unwrap(await store.view(address)).path))
    expect(viewed.sort()).toEqual(skills.map(({ path }) => path).sort())
  })

  test('go to the archive and come back, the skills inside other skills too', async () => {
    const store = openLibrary()
    const before = unwrap(await store.list())
    for (const path of ['electric/electric-shapes', 'tanstack/db-core/persistence'])
      expect(unwrap(await store.restore(unwrap(await store.archive(path, { reason: 'not used' })).id)).skill.path).toBe(path)
    expect(await store.archive('tanstack/db-core', { reason: 'not used' })).toMatchObject({ ok: false, error: { code: 'invalid' } })
    expect(unwrap(await store.list())).toEqual(before)
  })
})
