/** `hermes profile`, and what a person changes of it without the schema of the app. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHermes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { runHermes, runJson, temporaryHome } from './run-hermes.ts'

const schema = z.object({ name: z.string(), diet: z.enum(['vegan', 'none']).optional() })

const open = (home: string) => createHermes({ storage: fileSystemBackend(home), profile: schema })

it('shows each field with whose words it is; a person changes one by its number, undoes that, and is told why', async () => {
  const home = temporaryHome()
  expect((await runHermes(['profile', '--home', home])).stdout).toContain('no entries yet')
  const app = open(home)
  await app.profile.write({ name: 'Ann Meyer', diet: 'vegan' }, { by: 'user' })
  const shown = await runHermes(['profile', '--home', home])
  expect(shown).toMatchObject({ code: 0, stderr: '' })
  expect(shown.stdout).toMatch(/PROFILE .*\n {2}profile:1 {2}user {7}name: "Ann Meyer"\n {2}profile:2 {2}user {7}diet: "vegan"\n/)
  const { told } = await runJson(['profile', '--home', home])
  expect(told.value).toMatchObject({ fields: [{ text: 'name: "Ann Meyer"', origin: 'user' }, { text: 'diet: "vegan"' }] })
  expect(await runHermes(['memory', 'replace', 'profile:2', 'diet: "none"', '--home', home])).toMatchObject({ code: 0 })
  expect(await app.profile.read()).toEqual({ ok: true, value: { name: 'Ann Meyer', diet: 'none' } })
  expect((await runHermes(['memory', 'why', 'diet', '--home', home])).stdout).toContain('In PROFILE.json')
  expect(await runHermes(['undo', '--yes', '--home', home])).toMatchObject({ code: 0 })
  expect(await app.profile.read()).toEqual({ ok: true, value: { name: 'Ann Meyer', diet: 'vegan' } })
  expect(await runHermes(['memory', 'replace', 'profile:2', 'vegan', '--home', home])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('such as diet: "vegan"'),
  })
  expect(statSync(join(home, 'memories/PROFILE.json')).mode & 0o777).toBe(0o600)
  await app.close()
})

it('says that the file cannot be read, and leaves it', async () => {
  const home = temporaryHome()
  await open(home).profile.write({ name: 'Ann' })
  writeFileSync(join(home, 'memories/PROFILE.json'), '{ broken')
  expect(await runHermes(['profile', '--home', home])).toMatchObject({ code: 1, stderr: expect.stringContaining('it was left as it is') })
  expect(readFileSync(join(home, 'memories/PROFILE.json'), 'utf8')).toBe('{ broken')
})
