import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHermes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { describe, expect, it, vi } from 'vitest'
import { IS_LONG_RUN } from '../../../scripts/support/rounds.ts'
import { openServer } from './openai-server.ts'
import { envOf, folderOf, LISBON, moduleOf, talkIn, userOf } from './queued-homes.ts'
import { MAIN, runHermes, runJson, spawnHermes, startHermes, temporaryHome, writeHome } from './run-hermes.ts'

describe('hermes worker', () => {
  it('runs what is due in a folder of homes, with one line for each review, and stops with --once', async () => {
    const { url, requests } = await openServer(() => LISBON)
    const folder = await folderOf('ada', 'bob')
    const { code, stdout, stderr } = await runHermes(['worker', '--once', '--home', folder], { env: envOf(url) })
    expect([code, stderr]).toEqual([0, ''])
    for (const owner of ['ada', 'bob']) {
      expect(stdout).toContain(`${owner} · 1 written, 0 waiting, 0 rejected (20 tokens)\n`)
      expect(await userOf(folder, owner)).toContain('User lives in Lisbon')
    }
    expect(stdout).toContain('2 reviews done, 0 failed, 0 curator runs.')
    expect(requests).toHaveLength(2)
    const again = await runJson(['worker', '--once', '--home', folder], { env: envOf(url) })
    expect(again).toMatchObject({ code: 0, told: { ok: true, value: { homes: 2, reviews: 0, failed: 0 } } })
    expect(requests).toHaveLength(2)
  })

  it('refuses the home of one person, and names the command for it', async () => {
    const home = temporaryHome()
    const hermes = createHermes({ storage: fileSystemBackend(home) })
    hermes.session('chat').recordTurn({ messages: [{ role: 'user', text: 'I live in Lisbon' }] })
    await hermes.close()
    const { code, stderr } = await runHermes(['worker', '--once', '--home', home])
    expect(code).toBe(1)
    expect(stderr).toMatch(/the home of one person.*'hermes review'/)
  })

  it('tells the memory provider of config.yaml what it wrote, and whose it is', async () => {
    const { url } = await openServer(() => LISBON)
    const folder = await folderOf('ada')
    writeHome(folder, {
      'config.yaml': 'memory: { provider: ./spy.mjs }\n',
      'spy.mjs': `
        import { appendFileSync } from 'node:fs'
        const tell = (text) => appendFileSync(${JSON.stringify(join(folder, 'told'))}, text + '\\n')
        const open = ({ folder }) => ({
          onMemoryWrite: async ({ added }) => tell(folder + ': ' + added),
          shutdown: async () => tell('shut down'),
        })
        export default { name: 'spy', initialize: open }`,
    })
    expect(await runHermes(['worker', '--once', '--home', folder], { env: envOf(url) })).toMatchObject({ code: 0, stderr: '' })
    expect(readFileSync(join(folder, 'told'), 'utf8')).toBe('homes/~none/ada: User lives in Lisbon\nshut down\n')
  })

  it('stops in a folder that stays empty', async () => {
    const folder = temporaryHome()
    mkdirSync(folder, { recursive: true })
    const env = envOf('http://127.0.0.1:9')
    expect(await runHermes(['worker', '--once', '--home', folder], { env })).toMatchObject({ code: 0, stderr: '' })
    const worker = startHermes(['worker', '--home', folder], { env })
    await vi.waitFor(() => expect(worker.printed().stderr).toContain('Working on the reviews'), 20_000)
    expect(await worker.stop()).toMatchObject({ code: 0 })
  })

  it('tells a failed review on stderr, keeps it, and ends with 1', async () => {
    const { url } = await openServer(() => 400)
    const folder = await folderOf('ada')
    const { code, stdout, stderr } = await runHermes(['worker', '--once', '--home', folder], { env: envOf(url) })
    expect(code).toBe(1)
    expect(stderr).toMatch(/ada · failed: /)
    expect(stderr).toContain('error: 1 review failed')
    expect(stdout).not.toContain('ada')
    const { url: works } = await openServer(() => LISBON)
    await runHermes(['worker', '--once', '--home', folder], { env: envOf(works) })
    expect(await userOf(folder, 'ada')).toContain('User lives in Lisbon')
  })

  it('runs the homes that a module exports, with their own options', async () => {
    const { folder, module } = await moduleOf('ada')
    // The home of the command is not used, and need not exist.
    const { code, stdout, stderr } = await runHermes(['worker', '--once', '--module', module])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('ada · end · read 3 turns: 1 written')
    expect(await userOf(folder, 'ada')).toContain('User lives in Lisbon')
  })

  it('refuses what it cannot work with, and says what to do', async () => {
    const folder = await folderOf('ada')
    writeHome(folder, { 'empty.mjs': 'export const other = 1' })
    const wrong = async (...args: readonly string[]) => {
      const { code, stderr } = await runHermes(['worker', '--once', '--home', folder, ...args], { env: { COLUMNS: '200' } })
      return `${code} ${stderr}`
    }
    expect(await wrong('--module', join(folder, 'none.mjs'))).toMatch(/^2 error: .*none\.mjs' could not be loaded/)
    expect(await wrong('--module', join(folder, 'empty.mjs'))).toMatch(/^2 error: .*must export 'homes'/)
    expect(await wrong('--module', join(folder, 'empty.mjs'), '--model', 'm')).toMatch(/^2 error: .*leave out --model/)
    expect(await wrong('--user', 'ada')).toMatch(/^2 error: .*leave out --user/)
    expect(await wrong('--concurrency', '0')).toMatch(/^2 error: --concurrency/)
    expect(await wrong()).toMatch(/^1 error: A worker needs a model\./)
    const missing = await runHermes(['worker', '--once', '--home', join(folder, 'none')])
    expect(missing.code).toBe(1)
    expect(missing.stderr).toMatch(/^error: There is no Hermes home at .*\n$/)
    writeHome(folder, { 'typo.mjs': "throw new Error('No address.')" })
    expect(await wrong('--module', join(folder, 'typo.mjs'))).toMatch(/could not be loaded: No address\.\n/)
  })
})

if (IS_LONG_RUN) {
  describe('hermes worker', () => {
    it('works until SIGTERM, and finishes the review under way', async () => {
      let child: ReturnType<typeof spawn> | undefined
      const { url } = await openServer(() => {
        child?.kill('SIGTERM')
        return LISBON
      })
      const folder = await folderOf('ada')
      child = spawn(process.execPath, [MAIN, 'worker', '--home', folder], {
        env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...envOf(url) },
      })
      let [stdout, stderr] = ['', '']
      child.stdout?.on('data', (text) => {
        stdout += String(text)
      })
      child.stderr?.on('data', (text) => {
        stderr += String(text)
      })
      const [code] = await once(child, 'close')
      expect(stderr).toContain('Stopping')
      expect(stdout).toContain('ada · 1 written')
      expect(code).toBe(0)
      expect(await userOf(folder, 'ada')).toContain('User lives in Lisbon')
    })

    it('waits in a folder that is still empty, and works for the people who come', async () => {
      const { url } = await openServer(() => LISBON)
      const folder = temporaryHome()
      mkdirSync(folder, { recursive: true })
      const worker = startHermes(['worker', '--home', folder], { env: envOf(url) })
      await vi.waitFor(() => expect(worker.printed().stderr).toContain('Working on the reviews'), 20_000)
      await talkIn(folder, 'ada')
      await vi.waitFor(() => expect(worker.printed().stdout).toContain('ada · 1 written'), 20_000)
      expect(await worker.stop()).toMatchObject({ code: 0 })
    })

    it('ends although the module holds a connection open', async () => {
      const { folder, module } = await moduleOf('ada', 'setInterval(() => {}, 1_000)')
      const { code, stdout } = await spawnHermes(['worker', '--once', '--home', folder, '--module', module])
      expect(code).toBe(0)
      expect(stdout).toContain('1 review done')
    })
  })
}
