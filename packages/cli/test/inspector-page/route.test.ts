/** The example of docs/inspector.md, as the built package runs it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { homes } from './homes.ts'
import { GET, POST } from './route.ts'

const PAGE = join(import.meta.dirname, '../../../../docs/inspector.md')

const ask = (path: string, init: RequestInit = {}) =>
  (init.method === 'POST' ? POST : GET)(
    new Request(`https://app.example.com${path}`, {
      ...init,
      headers: { authorization: 'Bearer admin', origin: 'https://app.example.com' },
    }),
  )

it('is what the page shows', () => {
  const [, shown] = /^```ts\n\/\/ app\/hermes\/\[\[\.\.\.path\]\]\/route\.ts\n([\s\S]*?)^```/m.exec(readFileSync(PAGE, 'utf8')) ?? []
  expect(shown).toBe(readFileSync(join(import.meta.dirname, 'route.ts'), 'utf8'))
})

it('serves the page and its data to whom the app lets in', async () => {
  await homes.for('ada').memoryStore().apply('user', { action: 'add', content: 'Lives in Oslo' })
  expect(await (await ask('/hermes')).text()).toContain('src="/hermes/assets/')
  expect(await (await ask('/hermes/api/memory?user=ada')).json()).toMatchObject({ entries: [{ text: 'Lives in Oslo' }] })
  const body = JSON.stringify({ action: 'pin', target: 'user', text: 'Lives in Oslo' })
  expect((await ask('/hermes/api/memory?user=ada', { method: 'POST', body })).status).toBe(200)
  expect((await GET(new Request('https://app.example.com/hermes'))).status).toBe(401)
})
