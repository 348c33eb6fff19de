/** The skills for coding agents that our packages carry are valid, by the rules that we apply to everybody's. */
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SkillStore } from '../src/skills/skill-store.ts'
import { fileSystemBackend } from '../src/storage/files/file-backend.ts'
import { scanThreats } from '../src/threats/scan.ts'
import { temporaryFolder } from './storage/support/temporary-home.ts'

const PACKAGES = join(import.meta.dirname, '../..')
const CARRIERS = ['core', 'ai-sdk', 'langchain']

it.each(CARRIERS)('@hermes/%s has a skill that a home accepts, named after its folder', async (name) => {
  const folder = join(PACKAGES, name, 'skills')
  expect(readdirSync(folder)).toEqual([`hermes-${name}`])
  const home = temporaryFolder()
  cpSync(folder, join(home, 'skills'), { recursive: true })
  const listed = await new SkillStore({ storage: fileSystemBackend(home) }).list()
  if (!listed.ok) throw listed.error
  expect(listed.value.problems).toEqual([])
  const [skill] = listed.value.skills
  expect(skill?.name).toBe(`hermes-${name}`)
  // The open format's limits.
  expect(skill?.description.length).toBeGreaterThan(100)
  expect(skill?.description.length).toBeLessThanOrEqual(1024)
  const text = readFileSync(join(folder, `hermes-${name}/SKILL.md`), 'utf8')
  expect(text.split('\n').length).toBeLessThanOrEqual(500)
  expect(scanThreats(text, 'context')).toEqual([])
})

it.each(CARRIERS)('the skill of @hermes/%s names only pages that are in the package of core', (name) => {
  const text = readFileSync(join(PACKAGES, name, `skills/hermes-${name}/SKILL.md`), 'utf8')
  const named = [...text.slice(text.indexOf('More:')).matchAll(/`([a-z-]+\.md)`/g)].map(([, page]) => page)
  expect(named.length).toBeGreaterThan(3)
  const pages = readdirSync(join(PACKAGES, '../docs'))
  expect(named.filter((page) => page !== undefined && !pages.includes(page))).toEqual([])
})
