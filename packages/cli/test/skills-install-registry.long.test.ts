/** Skills from a registry. */

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
})
