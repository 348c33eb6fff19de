/** What a killed `hermes skills install` leaves, and how the next one goes on. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { currentProcess } from '@hermes/core/file-system'
import { expect, it, vi } from 'vitest'
import { makeSourceFolder } from '../src/commands/skills/install/fetch-source.ts'
import { MAIN, runHermes, skillText, spawnHermes, temporaryHome, writeHome } from './run-hermes.ts'

const SOURCE = { 'skills/deploy/SKILL.md': skillText('deploy'), 'skills/translate/SKILL.md': skillText('translate') }

it('removes the folder that an installation killed in the midst of git has left, and no other', async () => {
  const [home, folder] = [temporaryHome(), temporaryHome()]
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  writeHome(folder, { 'bin/git': '#!/bin/sh\nexec sleep 60\n', ...SOURCE })
  chmodSync(join(folder, 'bin/git'), 0o755)
  const child = spawn(process.execPath, [MAIN, 'skills', 'install', 'https://example.test/skills.git', '--home', home], {
    env: { PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, HOME: folder, TMPDIR: temporary },
    stdio: 'ignore',
    detached: true,
  })
  const ended = once(child, 'exit')
  await vi.waitFor(() => expect(readdirSync(temporary)).toHaveLength(1), { timeout: 20_000, interval: 10 })
  process.kill(-Number(child.pid), 'SIGKILL')
  await ended
  const others = [`hermes-install-${currentProcess.pid}-${currentProcess.host}-${Date.now()}-aaaaaa`, 'hermes-install-bbbbbb', 'other']
  for (const name of others) mkdirSync(join(temporary, name))
  expect(readdirSync(temporary)).toHaveLength(4)
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, TMPDIR: temporary, GIT_CONFIG_GLOBAL: '/dev/null' }
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { env })
  git('init', '--quiet')
  git('add', 'skills')
  git('commit', '--quiet', '-m', 'one')
  const done = await spawnHermes(['skills', 'install', `file://${folder}`, '--all', '--yes', '--home', home], { env })
  expect(done).toMatchObject({ code: 0 })
  expect(
    readdirSync(temporary)
      .filter((name) => name !== 'node-compile-cache')
      .toSorted(),
  ).toEqual(others.toSorted())
})

// Only root may give a folder to another user, and only root could remove theirs.
it.runIf(process.getuid?.() === 0)('leaves the folders of other users', async () => {
  const temporary = temporaryHome()
  const hour = 3_600_000
  const [own, foreign] = ['a', 'b'].map((id) => `hermes-install-1-0000000000000000-${Date.now() - 2 * hour}-${id}`) as [string, string]
  for (const name of [own, foreign]) mkdirSync(join(temporary, name))
  chownSync(join(temporary, foreign), 65_534, 65_534)
  vi.stubEnv('TMPDIR', temporary)
  try {
    const made = await makeSourceFolder(Date.now())
    expect(
      readdirSync(temporary)
        .map((name) => join(temporary, name))
        .toSorted(),
    ).toEqual([join(temporary, foreign), made].toSorted())
  } finally {
    vi.unstubAllEnvs()
  }
})

it('finishes an installation of several skills that was interrupted, and overwrites none', async () => {
  const [home, source] = [temporaryHome(), temporaryHome()]
  writeHome(source, SOURCE)
  const install = (...args: readonly string[]) => runHermes(['skills', 'install', source, '--yes', '--home', home, ...args])
  expect(await install('--skill', 'deploy')).toMatchObject({ code: 0 })
  const done = await install('--all')
  expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining('Installed already: deploy\n') })
  expect(done.stdout).toMatch(/^installed {2}translate in skills\/translate\n/)
  expect(done.stderr).not.toContain('How to deploy.')
  // Nothing is left to do: as for any skill that is there.
  expect(await install('--all')).toMatchObject({ code: 1, stderr: expect.stringContaining("'deploy' exists already") })
})

it.each([
  ['changed by hand', 'skills/deploy/SKILL.md', `${skillText('deploy')}Mine.\n`],
  ['without its origin', 'skills/.hub/lock.json', '{"version":1}'],
])('refuses to go on over a skill that is %s', async (_, path, text) => {
  const [home, source] = [temporaryHome(), temporaryHome()]
  writeHome(source, SOURCE)
  const install = (...args: readonly string[]) => runHermes(['skills', 'install', source, '--yes', '--home', home, ...args])
  expect(await install('--skill', 'deploy')).toMatchObject({ code: 0 })
  writeHome(home, { [path]: text })
  expect(await install('--all')).toMatchObject({ code: 1, stderr: expect.stringContaining("'deploy' exists already") })
  expect(readFileSync(join(home, path), 'utf8')).toBe(text)
})
