import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHermes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { storageReviewQueue } from '@hermes/core/queue'
import { describe, expect, it, vi } from 'vitest'
import { openServer } from './openai-server.ts'
import { envOf, folderOf, LISBON, talkAndEnd, userOf, writeModule } from './queued-homes.ts'
import { runHermes, runJson, startHermes, temporaryHome, writeHome } from './run-hermes.ts'

describe('hermes worker', () => {
  it('runs what is due in a folder of homes, with one line for each review, and stops with --once', async () => {
    const { url, requests } = await openServer(() => LISBON)
    const folder = await folderOf('ada', 'bob')
    const { code, stdout, stderr } = await runHermes(['worker', '--once', '--home', folder], { env: envOf(url) })
    expect([code, stderr]).toEqual([0, ''])
    for (const owner of ['ada', 'bob']) {
      expect(stdout).toContain(`${owner} · end · read 3 turns: 1 written, 0 waiting, 0 rejected (20 tokens)\n`)
      expect(await userOf(folder, owner)).toContain('User lives in Lisbon')
    }
    expect(stdout).toContain('2 reviews done, 0 postponed, 0 failed, 0 without anything left to read.')
    expect(requests).toHaveLength(2)
    const again = await runJson(['worker', '--once', '--home', folder], { env: envOf(url) })
    expect(again).toMatchObject({ code: 0, told: { ok: true, value: { reviewed: 0, failed: 0 } } })
    expect(requests).toHaveLength(2)
  })

  it('runs the reviews of a single home', async () => {
    const { url } = await openServer(() => LISBON)
    const home = temporaryHome()
    const storage = fileSystemBackend(home)
    const hermes = createHermes({ storage, review: { queue: storageReviewQueue({ storage }) } })
    await talkAndEnd(hermes)
    await hermes.close()
    const { code, stdout } = await runHermes(['worker', '--once', '--home', home], { env: envOf(url) })
    expect(code).toBe(0)
    expect(stdout).toContain('home · end · read 3 turns: 1 written')
    expect(readFileSync(join(home, 'memories/USER.md'), 'utf8')).toContain('User lives in Lisbon')
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
    expect(stderr).toMatch(/ada · end · failed, again at \d{4}-\d\d-\d\dT/)
    expect(stderr).toContain('error: 1 review failed')
    expect(stdout).not.toContain('ada')
    const stats = await storageReviewQueue({ storage: fileSystemBackend(folder) }).stats()
    // The failed one, and the one of the idle home.
    expect(stats).toMatchObject({ ok: true, value: { waiting: 2, claimed: 0 } })
  })

  it('runs the homes that a module exports, with their own options', async () => {
    const folder = await folderOf('ada')
    const module = writeModule(folder)
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

  it('finds nothing of an owner who was erased on the command line', async () => {
    const folder = await folderOf('ada')
    await runHermes(['owners', 'erase', '--home', folder, '--user', 'ada', '--yes'])
    const stats = await storageReviewQueue({ storage: fileSystemBackend(folder) }).stats()
    expect(stats).toEqual({ ok: true, value: { waiting: 0, claimed: 0, oldestDueAt: undefined } })
  })
})
