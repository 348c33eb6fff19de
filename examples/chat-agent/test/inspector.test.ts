import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { openPty } from '../../../scripts/support/pty.ts'
import { temporaryFolder } from './run-chat.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

it('opens the inspector on the same home beside the chat, and closes it with the chat', async () => {
  const home = temporaryFolder()
  const pty = openPty({ args: [MAIN, '--home', home, '--ui'], env: { HOME: home }, columns: 100 })
  onTestFinished(pty.kill)
  await pty.waitFor(/>$/)
  const link = /^inspect +(http:\S+)$/m.exec(pty.lines().join('\n'))?.[1] ?? ''
  const { origin } = new URL(link)
  expect((await fetch(origin)).status).toBe(401)

  const signedIn = await fetch(link, { redirect: 'manual' })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(cookie).not.toBe('')
  const page = await fetch(origin, { headers: { cookie } })
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('<html')

  pty.type('/quit\r')
  expect(await pty.exited).toBe(0)
  await expect(fetch(origin)).rejects.toThrow('fetch failed')
})
