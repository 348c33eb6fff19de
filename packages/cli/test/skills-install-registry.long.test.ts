/** Skills from a registry and from a repository. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runHermes, skillText, temporaryHome, writeHome } from './run-hermes.ts'

/** Without the settings of whoever runs the tests. */
const environment = (): Readonly<Record<string, string>> => {
  const folder = temporaryHome()
  writeHome(folder, { npmrc: '', gitconfig: '' })
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    npm_config_userconfig: join(folder, 'npmrc'),
    npm_config_cache: join(folder, 'cache'),
    npm_config_update_notifier: 'false',
    GIT_CONFIG_GLOBAL: join(folder, 'gitconfig'),
    GIT_CONFIG_NOSYSTEM: '1',
  }
}

const sourceWith = (files: Readonly<Record<string, string>>): string => {
  const folder = temporaryHome()
  writeHome(folder, files)
  return folder
}

const install = (home: string, source: string, ...args: readonly string[]) =>
  runHermes(['skills', 'install', source, '--home', home, ...args], { env: environment() })

const lockOf = (home: string) => JSON.parse(readFileSync(join(home, 'skills/.hub/lock.json'), 'utf8'))

describe('hermes skills install', () => {
  it('installs from a registry, without running the scripts of the package', async () => {
    const home = temporaryHome()
    const trace = join(temporaryHome(), 'ran')
    const scripts = Object.fromEntries(
      ['preinstall', 'install', 'postinstall', 'prepare', 'prepack'].map((name) => [name, `touch ${trace}`]),
    )
    const manifest = { name: 'our-skills', version: '1.2.0', scripts }
    const tarball = gzipSync(
      await packTar([
        { header: { name: 'package/package.json', size: JSON.stringify(manifest).length }, body: JSON.stringify(manifest) },
        { header: { name: 'package/SKILL.md', size: skillText('deploy').length }, body: skillText('deploy') },
      ]),
    )
    const server = createServer((request, response) => {
      if (request.url?.endsWith('.tgz')) return response.end(tarball)
      const dist = { tarball: `http://127.0.0.1:${(server.address() as AddressInfo).port}/our-skills-1.2.0.tgz` }
      return response.end(
        JSON.stringify({ name: 'our-skills', 'dist-tags': { latest: '1.2.0' }, versions: { '1.2.0': { ...manifest, dist } } }),
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const env = { ...environment(), npm_config_registry: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
    expect(await runHermes(['skills', 'install', 'our-skills', '--yes', '--home', home], { env })).toMatchObject({ code: 0 })
    expect(lockOf(home).installed.deploy).toMatchObject({ source: 'npm', identifier: 'our-skills@1.2.0' })
    expect(existsSync(trace)).toBe(false)
    expect(await runHermes(['skills', 'install', 'our-skills@9', '--yes', '--home', home], { env })).toMatchObject({ code: 1 })
  })

  it('installs from a git repository, at a tag, without running its hooks', async () => {
    const home = temporaryHome()
    const env = environment()
    const source = sourceWith({ 'SKILL.md': skillText('deploy', 'The first.') })
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'init.defaultBranch=main', ...args], {
        cwd: source,
        env,
        encoding: 'utf8',
      })
    git('init', '--quiet')
    git('add', '.')
    git('commit', '--quiet', '-m', 'one')
    git('tag', 'v1')
    const commit = git('rev-parse', 'HEAD').trim()
    writeHome(source, { 'SKILL.md': skillText('deploy', 'The second.') })
    git('commit', '--quiet', '-a', '-m', 'two')
    expect(await install(home, `file://${source}#v1`, '--yes')).toMatchObject({ code: 0 })
    expect(readFileSync(join(home, 'skills/deploy/SKILL.md'), 'utf8')).toContain('The first.')
    expect(lockOf(home).installed.deploy).toMatchObject({ source: 'git', identifier: `file://${source}#${commit}` })
    expect(await install(home, `file://${source}/none`, '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('git could not get it'),
    })
  })
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
