import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'

const SCRIPT = fileURLToPath(new URL('check-release.mjs', import.meta.url))
const scratches: string[] = []

afterEach(async () => {
  await Promise.all(scratches.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
})

const check = async (manifest: object): Promise<{ readonly exitCode: number; readonly said: string }> => {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-release-'))
  scratches.push(folder)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: '@hermes/some', version: '0.1.0', ...manifest }))
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, folder], (error, _stdout, said) => {
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, said })
    })
  })
}

const repository = { type: 'git', url: 'git+https://example.org/hermes.git', directory: 'packages/some' }
const complete = { repository, homepage: 'https://example.org', bugs: 'https://example.org/issues' }

it('lets a complete package be published', async () => {
  expect(await check(complete)).toEqual({ exitCode: 0, said: '' })
})

it.each([
  ['repository', "has no 'repository'"],
  ['homepage', "has no 'homepage'"],
  ['bugs', "has no 'bugs'"],
])('stops a release without %s', async (field, problem) => {
  const { exitCode, said } = await check({ ...complete, [field]: undefined })
  expect(exitCode).toBe(1)
  expect(said).toContain(`@hermes/some ${problem}`)
})

it('stops a release with a repository that does not say in which folder the package is, since links of its README would be dead', async () => {
  const { exitCode, said } = await check({ ...complete, repository: { type: 'git', url: repository.url } })
  expect(exitCode).toBe(1)
  expect(said).toContain("names no 'directory'")
})

it('stops a release before the version was moved', async () => {
  const { exitCode, said } = await check({ ...complete, version: '0.0.0' })
  expect(exitCode).toBe(1)
  expect(said).toContain('still has the version 0.0.0')
})
