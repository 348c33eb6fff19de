import { expect, it } from 'vitest'
import { openChat } from './chat-at-terminal.ts'
import { temporaryFolder } from './run-chat.ts'

it('opens the inspector on the same home beside the chat, and closes it with the chat', async () => {
  const home = temporaryFolder()
  const chat = openChat({ args: ['--home', home, '--ui'], env: { HOME: home }, columns: 100 })
  await chat.waitFor(/>$/)
  const link = /^inspect +(http:\S+)$/m.exec(chat.lines().join('\n'))?.[1] ?? ''
  const { origin } = new URL(link)
  expect((await fetch(origin)).status).toBe(401)

  const signedIn = await fetch(link, { redirect: 'manual' })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(cookie).not.toBe('')
  const page = await fetch(origin, { headers: { cookie } })
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('<html')

  chat.type('/quit\r')
  expect(await chat.exited).toBe(0)
  await expect(fetch(origin)).rejects.toThrow('fetch failed')
})
