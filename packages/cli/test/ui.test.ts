/** `hermes ui`: the link that it prints, what it serves, and how it stops. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createHermes, createHermesHomes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { IS_LONG_RUN } from '../../../scripts/support/rounds.ts'
import { type HermesRun, MAIN, runHermes, skillText, startHermes, temporaryHome, writeHome } from './run-hermes.ts'

interface Inspected {
  readonly link: string
  /** With the cookie of the link. */
  ask(path: string, init?: RequestInit): Promise<{ readonly status: number; readonly body: unknown }>
}

const inspected = (link: string): Inspected => {
  let cookie: string | undefined
  return {
    link,
    async ask(path, init = {}) {
      cookie ??= (await fetch(link, { redirect: 'manual' })).headers.get('set-cookie')?.split(';')[0] ?? ''
      const { origin } = new URL(link)
      const response = await fetch(`${origin}${path}`, { ...init, headers: { cookie, origin } })
      const body: unknown = await response.text().then((text) => (text.startsWith('{') ? JSON.parse(text) : text))
      return { status: response.status, body }
    },
  }
}

const linkIn = (stdout: string): string | undefined => /http:\/\/127\.0\.0\.1:\d+\/\?token=\S+/.exec(stdout)?.[0]

/** In this process. */
const start = async (...args: readonly string[]): Promise<Inspected & { stop(): Promise<HermesRun> }> => {
  const { printed, stop } = startHermes(['ui', ...args])
  onTestFinished(() => void stop())
  const link = await vi.waitFor(() => linkIn(printed().stdout) ?? expect.fail(`It printed no link: ${printed().stderr}`), 20_000)
  return { ...inspected(link), stop }
}

const startProcess = async (...args: readonly string[]): Promise<Inspected & { stop(signal: NodeJS.Signals): Promise<HermesRun> }> => {
  const child = spawn(process.execPath, [MAIN, 'ui', ...args], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], HOME: '/no/such/home' },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stdout = ''
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const closed = once(child, 'close')
  const link = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      const found = linkIn(stdout)
      if (found !== undefined) resolve(found)
    })
    child.on('close', () => reject(new Error(`It ended without a link: ${stderr}`)))
  })
  return {
    ...inspected(link),
    async stop(signal) {
      child.kill(signal)
      const [code] = await closed
      return { code: code as number | null, stdout, stderr }
    },
  }
}

const homeWith = async (content: string): Promise<string> => {
  const home = temporaryHome()
  const storage = fileSystemBackend(home)
  const hermes = createHermes({ storage })
  expect(await hermes.memoryStore().apply('user', { action: 'add', content })).toMatchObject({ ok: true })
  await hermes.close()
  return home
}

describe('hermes ui', () => {
  it('prints a link, serves the home, only for reading, and stops on Ctrl-C with 0', async () => {
    const home = await homeWith('Lives in Lisbon')
    const { ask, stop } = await startProcess('--home', home)
    expect((await ask('/')).body).toContain('<title>Hermes</title>')
    expect((await ask('/api/about')).body).toEqual({ write: false, manyOwners: false, label: home })
    expect((await ask('/api/memory')).body).toMatchObject({ entries: [{ text: 'Lives in Lisbon' }] })
    const change = { method: 'POST', body: JSON.stringify({ action: 'remove', target: 'user', text: 'Lives in Lisbon' }) }
    expect((await ask('/api/memory', change)).status).toBe(403)
    const { code, stdout, stderr } = await stop('SIGINT')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('Read only; --write lets you decide and change.')
    expect(stdout).toContain('The inspector has stopped.')
  })

  if (IS_LONG_RUN)
    it('changes the home with --write, on a person’s word, while a page is open; SIGTERM stops it too', async () => {
      const home = await homeWith('Lives in Lisbon')
      const { ask, stop, link } = await startProcess('--home', home, '--write')
      const change = { method: 'POST', body: JSON.stringify({ action: 'remove', target: 'user', text: 'Lives in Lisbon' }) }
      expect(await ask('/api/memory', change)).toEqual({
        status: 200,
        body: { message: 'USER.md: removed 1 entry.', undo: expect.any(String) },
      })
      expect((await runHermes(['memory', 'show', 'user', '--home', home])).stdout).not.toContain('Lisbon')
      expect((await runHermes(['journal', 'list', '--home', home], { columns: 200 })).stdout).toContain('person')
      // A stream that never ends by itself.
      const streaming = ask('/api/live').catch(() => undefined)
      const { code } = await stop('SIGTERM')
      await streaming
      expect(code).toBe(0)
      await expect(fetch(link)).rejects.toThrow()
    })

  it('answers nothing to another host name, which may be any page', async () => {
    const { link, stop } = await start('--home', await homeWith('Lives in Lisbon'))
    const { port, search } = new URL(link)
    for (const host of ['evil.example', 'evil.example:4983', '127.0.0.1.evil.example', 'localhost.']) {
      const asking = request({ host: '127.0.0.1', port, path: `/${search}`, headers: { host } }).end()
      const [response] = (await once(asking, 'response')) as [IncomingMessage]
      response.resume()
      expect([host, response.statusCode, response.headers['set-cookie']]).toEqual([host, 403, undefined])
    }
    await stop()
  })

  it('tells the memory provider of config.yaml what it changed', async () => {
    const home = await homeWith('Lives in Lisbon')
    writeHome(home, {
      'config.yaml': 'memory: { provider: ./spy.mjs }\n',
      'spy.mjs': `import { appendFileSync } from 'node:fs'
        const tell = (text) => appendFileSync(${JSON.stringify(join(home, 'told'))}, text + '\\n')
        const hooks = { onMemoryWrite: async ({ removed }) => tell(removed[0].text), shutdown: async () => tell('shut down') }
        export default { name: 'spy', initialize: () => hooks }`,
    })
    const { ask, stop } = await start('--home', home, '--write')
    const change = { method: 'POST', body: JSON.stringify({ action: 'remove', target: 'user', text: 'Lives in Lisbon' }) }
    expect(await ask('/api/memory', change)).toMatchObject({ status: 200 })
    expect(await stop()).toMatchObject({ code: 0, stderr: '' })
    expect(readFileSync(join(home, 'told'), 'utf8')).toBe('Lives in Lisbon\nshut down\n')
  })

  it('shows everyone in the folder of a server, or one person', async () => {
    const home = temporaryHome()
    const homes = createHermesHomes({ storage: fileSystemBackend(home) })
    for (const user of ['ada', 'bob'])
      await homes
        .for(user)
        .memoryStore()
        .apply('user', { action: 'add', content: `Is ${user}` })
    await homes.close()
    const all = await start('--home', home)
    expect((await all.ask('/api/owners')).body).toEqual({ owners: [{ user: 'ada' }, { user: 'bob' }], total: 2 })
    expect((await all.ask('/api/memory?user=bob')).body).toMatchObject({ entries: [{ text: 'Is bob' }] })
    expect((await all.ask('/api/memory')).status).toBe(400)
    const one = await start('--home', home, '--user', 'ada')
    expect((await one.ask('/api/memory?user=bob')).body).toMatchObject({ entries: [{ text: 'Is ada' }] })
    await Promise.all([all.stop(), one.stop()])
  })

  if (IS_LONG_RUN)
    it('shows the homes that a module exports', async () => {
      const folder = temporaryHome()
      writeHome(folder, {
        'homes.mjs': `import { createHermes } from '${import.meta.resolve('@hermes/core')}'
        import { inMemoryBackend } from '${import.meta.resolve('@hermes/core')}'
        export const hermes = createHermes({ storage: inMemoryBackend() })
        await hermes.skillStore().create({ name: 'deploy', content: ${JSON.stringify(skillText('deploy'))} })
        setInterval(() => {}, 1_000)`,
      })
      const { ask, stop } = await startProcess('--module', join(folder, 'homes.mjs'), '--home', folder)
      expect((await ask('/api/skills')).body).toMatchObject({ rows: [{ name: 'deploy' }] })
      expect((await stop('SIGINT')).code).toBe(0)
    })

  it('takes another port if its own is in use, but not instead of the one that was asked for', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void taken.close())
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    const home = temporaryHome()
    const { code, stderr } = await runHermes(['ui', '--home', home, '--port', port], { interrupt: true })
    expect(code).toBe(1)
    expect(stderr).toContain(`Port ${port} is in use: name another with --port, or leave it out.`)
    const first = await start('--home', home)
    const second = await start('--home', home)
    expect(new URL(first.link).port).not.toBe(new URL(second.link).port)
    await Promise.all([first.stop(), second.stop()])
  })

  it('refuses what it cannot show, and says what to do', async () => {
    const home = temporaryHome()
    const wrong = async (...args: readonly string[]) => {
      const { code, stderr } = await runHermes(['ui', '--home', home, ...args], { env: { COLUMNS: '200' }, interrupt: true })
      return `${code} ${stderr}`
    }
    expect(await wrong('--port', '0')).toMatch(/^2 error: --port takes a whole number/)
    expect(await wrong('--module', join(home, 'none.mjs'))).toMatch(/^2 error: .*could not be loaded/)
    expect(await wrong('--tenant', 'acme')).toMatch(/^2 error: --tenant needs --user/)
  })

  it('tells other programs the link with --json', async () => {
    const { code, stderr, stdout } = await runHermes(['ui', '--json', '--home', temporaryHome()], { interrupt: true })
    expect(code).toBe(0)
    expect(JSON.parse(stderr.split('\n')[0] ?? '')).toEqual({ link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\?token=/) })
    expect(JSON.parse(stdout)).toMatchObject({ ok: true })
  })
})
