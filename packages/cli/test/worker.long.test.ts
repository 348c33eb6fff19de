/** `hermes worker` that waits, that is stopped, or whose module stays alive. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { openServer } from './openai-server.ts'
import { envOf, folderOf, LISBON, moduleOf, talkIn, userOf } from './queued-homes.ts'
import { MAIN, spawnHermes, startHermes, temporaryHome } from './run-hermes.ts'

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
