/** A link that leads out of the home is never followed, and always reported. */
import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileSystemBackend } from '../src/storage/files/file-backend.ts'
import { openHome } from './session/open-home.ts'
import { temporaryFolder } from './storage/support/temporary-home.ts'
import { skillText, unwrap, write } from './support/skill-library.ts'

const open = async () => {
  const folder = temporaryFolder()
  const outside = join(folder, 'outside')
  const home = join(folder, 'home')
  const skills = join(home, 'skills')
  for (const path of [outside, skills]) mkdirSync(path, { recursive: true })
  writeFileSync(join(outside, 'SKILL.md'), skillText('team'))
  const storage = fileSystemBackend(home, { onWarning: () => undefined })
  await write(storage, { 'skills/sound/SKILL.md': skillText('sound') })
  return { outside, skills, storage, ...openHome(storage) }
}

const openLinked = async () => {
  const home = await open()
  symlinkSync(home.outside, join(home.skills, 'team'))
  return home
}

const TEAM = {
  code: 'unreadable',
  message: expect.stringContaining("'skills/team' is a symbolic link that leads out of the home"),
  details: { path: 'skills/team' },
}

test('a skill folder that is such a link is a problem of the list', async () => {
  const { hermes } = await openLinked()
  const { skills, problems } = unwrap(await hermes.skillStore().list())
  expect(skills.map(({ name }) => name)).toEqual(['sound'])
  expect(problems).toMatchObject([TEAM])
})

test('a backup names it among what it leaves out, and a rollback leaves it where it is', async () => {
  const { hermes, skills, storage, outside } = await openLinked()
  const backup = unwrap(await hermes.curator.backup())
  expect(backup).toMatchObject({ skillCount: 1, leftOut: [{ path: 'skills/team', why: 'link out of the home' }] })
  await write(storage, { 'skills/sound/SKILL.md': skillText('sound', 'Other work.') })
  unwrap(await hermes.curator.rollback(backup.id))
  expect(lstatSync(join(skills, 'team')).isSymbolicLink()).toBe(true)
  expect(readFileSync(join(outside, 'SKILL.md'), 'utf8')).toBe(skillText('team'))
})

test('a file of a skill that is such a link is not a file of it, and not a problem of the library, but is listed by the backup', async () => {
  const { hermes, skills, outside } = await open()
  mkdirSync(join(skills, 'sound', 'references'))
  symlinkSync(join(outside, 'SKILL.md'), join(skills, 'sound', 'references', 'shared.md'))
  expect(unwrap(await hermes.skillStore().list()).problems).toEqual([])
  expect(unwrap(await hermes.skillStore().view('sound')).linkedFiles.references).toEqual([])
  expect(unwrap(await hermes.curator.backup()).leftOut).toMatchObject([
    { path: 'skills/sound/references/shared.md', why: 'link out of the home' },
  ])
})
