import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runHermes, temporaryHome } from '../../../test/run-hermes.ts'
import { openBrowser, openerOf } from './open-browser.ts'

const LINK = 'http://127.0.0.1:4983/?token=abc'

it.each([
  ['darwin', 'open', [LINK]],
  ['linux', 'xdg-open', [LINK]],
  ['freebsd', 'xdg-open', [LINK]],
  ['win32', 'cmd', ['/d', '/c', 'start', '', LINK]],
] as const)('a link is opened on %s with %s', (platform, command, args) => {
  expect(openerOf(platform, LINK)).toEqual([command, args])
})

/** A PATH with only a program that opens links: it notes what it was asked to open. */
const fakeOpener = (code = 0) => {
  const PATH = temporaryHome()
  const note = join(PATH, 'opened')
  for (const name of ['open', 'xdg-open']) {
    writeFileSync(join(PATH, name), `#!/bin/sh\necho "$@" > '${note}'\nexit ${code}\n`, { mode: 0o755 })
  }
  return { env: { PATH }, opened: () => (existsSync(note) ? readFileSync(note, 'utf8') : '') }
}

describe.skipIf(process.platform === 'win32')('hermes ui', () => {
  const run = (env: { readonly PATH: string }, ...args: readonly string[]) =>
    runHermes(['ui', '--home', temporaryHome(), ...args], { env, interrupt: true })

  it('opens the link that it prints with --open', async () => {
    const { env, opened } = fakeOpener()
    const { code, stdout, stderr } = await run(env, '--open')
    expect([code, stderr]).toEqual([0, ''])
    await expect.poll(opened, { timeout: 8_000 }).toBe(`${/http:\S+/.exec(stdout)?.[0]}\n`)
  })

  it('opens nothing without --open', async () => {
    const { env, opened } = fakeOpener()
    expect((await run(env)).stdout).toContain('http://127.0.0.1')
    // As long as a program takes to start.
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(opened()).toBe('')
  })

  it('works without any program that opens links', async () => {
    const { code, stdout } = await run({ PATH: temporaryHome() }, '--open')
    expect(code).toBe(0)
    expect(stdout).toContain('http://127.0.0.1')
  })
})

describe.skipIf(process.platform === 'win32')('openBrowser', () => {
  const failure = (env: { readonly PATH: string }) => new Promise<void>((resolve) => openBrowser(LINK, { env }, resolve))

  it('tells that there is no program that opens links', () => failure({ PATH: temporaryHome() }))

  it('tells that the program has failed', async () => {
    const { env, opened } = fakeOpener(3)
    await failure(env)
    expect(opened()).toBe(`${LINK}\n`)
  })
})
