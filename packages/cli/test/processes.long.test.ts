/** The command as processes of their own, several at the same time, and beside npm. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runHermes, runJson, skillText, spawnHermes, temporaryHome, writeHome } from './run-hermes.ts'

const DAY = 86_400_000

it('hermes skills install: a skill is installed once if several processes do so at the same time', async () => {
  const [home, source] = [temporaryHome(), temporaryHome()]
  writeHome(source, { 'skills/deploy/SKILL.md': skillText('deploy'), 'skills/deploy/references/api.md': '# API\n' })
  const words = ['skills', 'install', source, '--skill', 'deploy', '--yes', '--home', home]
  const runs = await Promise.all([spawnHermes(words), spawnHermes(words), spawnHermes(words)])
  expect(runs.map(({ code }) => code).sort()).toEqual([0, 1, 1])
  expect(readdirSync(join(home, 'skills/deploy')).sort()).toEqual(['SKILL.md', 'references'])
  const lock = JSON.parse(readFileSync(join(home, 'skills/.hub/lock.json'), 'utf8'))
  expect(Object.keys(lock.installed)).toEqual(['deploy'])
  const { told } = await runJson(['doctor', '--home', home])
  expect(JSON.stringify(told)).not.toContain('interrupted')
})

it('hermes skills install takes a tarball that npm packed', async () => {
  const [home, source] = [temporaryHome(), temporaryHome()]
  writeHome(source, {
    'package.json': JSON.stringify({ name: 'our-skills', version: '1.2.0' }),
    'skills/deploy/SKILL.md': skillText('deploy'),
    'skills/deploy/references/api.md': '# API\n',
  })
  execFileSync('npm', ['pack', '--silent'], { cwd: source, env: { PATH: process.env['PATH'], HOME: temporaryHome() } })
  const tarball = join(source, 'our-skills-1.2.0.tgz')
  expect(await runHermes(['skills', 'install', tarball, '--skill', 'deploy', '--yes', '--home', home])).toMatchObject({ code: 0 })
  expect(readFileSync(join(home, 'skills/deploy/references/api.md'), 'utf8')).toBe('# API\n')
})

it('hermes undo keeps what other processes write at the same time', async () => {
  const home = temporaryHome()
  await runHermes(['memory', 'add', 'to be undone', '--home', home])
  const { told } = await runJson(['journal', 'list', '--home', home])
  const { records } = told.value as { readonly records: readonly { readonly id: string }[] }
  const others = Array.from({ length: 3 }, (_, index) => spawnHermes(['memory', 'add', `entry ${index}`, '--home', home]))
  const runs = await Promise.all([spawnHermes(['undo', records[0]?.id ?? '', '--yes', '--home', home]), ...others])
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0])
  const entries = readFileSync(join(home, 'memories/MEMORY.md'), 'utf8').split('\n§\n')
  expect(entries.sort()).toEqual(['entry 0', 'entry 1', 'entry 2'])
})

it('hermes curator runs, lists and rolls back', async () => {
  const home = temporaryHome()
  const at = (days: number) => new Date(Date.now() - days * DAY).toISOString()
  writeHome(home, {
    'skills/ops/old/SKILL.md': skillText('old'),
    'skills/.usage.json': JSON.stringify({ old: { created_by: 'agent', use_count: 1, last_used_at: at(120), created_at: at(400) } }),
  })
  expect(await spawnHermes(['curator', 'run', '--home', home])).toMatchObject({ code: 0, stderr: '' })
  expect((await spawnHermes(['skills', 'list', '--state', 'archived', '--home', home, '--json'])).stdout).toContain('"name": "old"')
  expect(await spawnHermes(['curator', 'rollback', '--home', home])).toMatchObject({ code: 1, stdout: '' })
  expect(await spawnHermes(['curator', 'rollback', '--yes', '--home', home])).toMatchObject({ code: 0 })
  expect(existsSync(join(home, 'skills/ops/old/SKILL.md'))).toBe(true)
})
