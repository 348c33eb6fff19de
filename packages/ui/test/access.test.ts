/** Who may open the inspector, and from where. */
import { createHermes, inMemoryBackend } from '@hermes/core'
import { describe, expect, it } from 'vitest'
import { hermesInspector } from '../src/inspector.ts'
import { ORIGIN, openInspector } from './support.ts'

const home = () => createHermes({ storage: inMemoryBackend() })

const codeOf = async (response: Response) => ({
  status: response.status,
  code: ((await response.json()) as { error: { code: string } }).error.code,
})

describe('the one-time token', () => {
  it('becomes a cookie that scripts and other sites do not get, and is not in the address afterwards', async () => {
    const inspector = hermesInspector(home())
    const link = await inspector.link(ORIGIN)
    const opened = await inspector(new Request(link))
    expect(opened.status).toBe(303)
    expect(opened.headers.get('location')).toBe('/')
    expect(opened.headers.get('set-cookie')).toMatch(/^hermes-inspector-4983=[^;]{20,}; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(opened.headers.get('set-cookie')).not.toContain(new URL(link).searchParams.get('token'))
  })

  it('works once', async () => {
    const inspector = hermesInspector(home())
    const link = await inspector.link(ORIGIN)
    await inspector(new Request(link))
    const again = await inspector(new Request(link))
    expect(again.status).toBe(401)
    expect(again.headers.get('set-cookie')).toBeNull()
  })

  it('stays good when a program only looks at the link', async () => {
    const inspector = hermesInspector(home())
    const link = await inspector.link(ORIGIN)
    expect((await inspector(new Request(link, { method: 'HEAD' }))).status).toBe(401)
    expect((await inspector(new Request(link))).status).toBe(303)
  })

  it('ends with the inspector', async () => {
    const { get, inspector } = await openInspector(home())
    expect((await get('/api/about')).status).toBe(200)
    inspector.close()
    expect(await codeOf(await get('/api/about'))).toEqual({ status: 401, code: 'signed-out' })
  })

  it.each(['/', '/index.html', '/api/about', '/api/inbox', '/api/live', '/api/nothing'])('is needed for %s', async (path) => {
    const inspector = hermesInspector(home())
    for (const cookie of ['', 'hermes-inspector-4983=', 'hermes-inspector-4983=0', 'hermes-inspector-4983=undefined']) {
      const answered = await inspector(new Request(`${ORIGIN}${path}`, { headers: { cookie } }))
      expect(answered.status).toBe(401)
      expect(await answered.text()).not.toContain('<')
    }
  })

  it('is not taken by a page of another site, and stays good', async () => {
    const inspector = hermesInspector(home())
    const link = await inspector.link(ORIGIN)
    const image = await inspector(new Request(link, { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' } }))
    expect(image.status).toBe(403)
    expect((await inspector(new Request(link, { headers: { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' } }))).status).toBe(303)
  })
})

describe('another site', () => {
  it.each(['http://evil.example', 'http://127.0.0.1:4984', 'null', 'https://localhost.evil.example', '::'])(
    'cannot ask or change as %s',
    async (origin) => {
      const { get, post } = await openInspector(home(), { write: true })
      expect(await codeOf(await get('/api/inbox', { origin }))).toEqual({ status: 403, code: 'refused' })
      expect(await codeOf(await post('/api/memory', {}, { origin }))).toEqual({ status: 403, code: 'refused' })
    },
  )

  it.each(['cross-site', 'same-site'])('cannot ask as %s', async (site) => {
    const { get } = await openInspector(home())
    expect((await get('/api/inbox', { 'sec-fetch-site': site })).status).toBe(403)
  })

  it('cannot change without naming its origin', async () => {
    const { inspector, cookie } = await openInspector(home(), { write: true })
    const request = new Request(`${ORIGIN}/api/inbox/x/approve`, { method: 'POST', headers: { cookie } })
    expect((await inspector(request)).status).toBe(403)
  })

  it.each(['http://evil.example:4983', 'http://127.0.0.1.evil.example', 'http://0.0.0.0:4983', 'http://[::2]'])(
    'cannot be another name for this address: %s',
    async (origin) => {
      const { inspector, cookie } = await openInspector(home())
      expect((await inspector(new Request(`${origin}/api/about`, { headers: { cookie } }))).status).toBe(403)
    },
  )

  it('gets no answer that it could keep, frame or read', async () => {
    const { get } = await openInspector(home())
    for (const path of ['/', '/api/about', '/nothing']) {
      const { headers } = await get(path)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('content-security-policy')).toMatch(
        /default-src 'none'; script-src 'self'.*frame-ancestors 'none'.*trusted-types 'none'/,
      )
      expect(headers.get('content-security-policy')).not.toContain('unsafe')
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
  })
})

describe('reading only', () => {
  it.each(['/api/inbox/x/approve', '/api/memory', '/api/skills', '/api/jobs/rollback', '/api/undo/1'])(
    'is the default: %s',
    async (path) => {
      const { post } = await openInspector(home())
      expect(await codeOf(await post(path))).toEqual({ status: 403, code: 'read-only' })
    },
  )

  it('refuses other methods too', async () => {
    const { inspector, cookie } = await openInspector(home())
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      expect((await inspector(new Request(`${ORIGIN}/api/memory`, { method, headers: { cookie, origin: ORIGIN } }))).status).toBe(403)
    }
  })
})

const allow = (): boolean => true

describe("a host's own server", () => {
  it('asks its own sign-in for every request', async () => {
    const seen: string[] = []
    const access = (request: Request) => {
      seen.push(new URL(request.url).pathname)
      return request.headers.get('x-user') === 'admin'
    }
    const inspector = hermesInspector(home(), { hosts: ['app.example'], basePath: '/admin/hermes', access })
    const ask = (path: string, headers = {}) => inspector(new Request(`https://app.example${path}`, { headers }))
    expect((await ask('/admin/hermes/')).status).toBe(401)
    expect((await ask('/admin/hermes/?token=x')).status).toBe(401)
    const page = await ask('/admin/hermes/', { 'x-user': 'admin' })
    expect(page.headers.get('content-type')).toMatch('text/html')
    const html = await page.text()
    expect(html).toContain('src="/admin/hermes/assets/')
    expect(await (await ask('/admin/hermes', { 'x-user': 'admin' })).text()).toBe(html)
    expect(await (await ask('/admin/hermes/api/about', { 'x-user': 'admin' })).json()).toEqual({ write: false, manyOwners: false })
    expect(seen).toHaveLength(5)
  })

  it('opens nothing and tells nothing if its sign-in fails', async () => {
    const access = () => Promise.reject(new TypeError('connect postgres://app:pa55word@db refused'))
    const inspector = hermesInspector(home(), { access })
    for (const path of ['/', '/api/inbox']) {
      const answered = await inspector(new Request(`${ORIGIN}${path}`))
      expect(answered.status).toBe(500)
      const text = await answered.text()
      expect(text).not.toContain('pa55word')
      expect(text).toContain('sign-in')
    }
  })

  it('takes host names as browsers write them', async () => {
    const inspector = hermesInspector(home(), { hosts: ['app.example'], access: () => true })
    expect((await inspector(new Request('https://app.example/api/about'))).status).toBe(200)
    for (const host of ['App.Example', 'app.example:8080', 'https://app.example', 'app.example/hermes', '', '*.example.com'])
      expect(() => hermesInspector(home(), { hosts: [host], access: () => true }), host).toThrow(/host names/)
  })

  it('is refused without one, and with a wrong path', () => {
    expect(() => hermesInspector(home(), { hosts: ['app.example'] })).toThrow(TypeError)
    expect(() => hermesInspector(home(), { basePath: 'admin' })).toThrow(TypeError)
    expect(() => hermesInspector(home(), { basePath: '//evil.example' })).toThrow(TypeError)
  })

  it.each([
    [{ acces: allow }, "has no option 'acces'. Its options are write, basePath, hosts, access, label, createSecret."],
    [{ access: true }, "'access' of hermesInspector takes a function, not true."],
    [{ write: 'no' }, "'write' of hermesInspector takes true or false"],
    [{ basePath: 'hermes' }, "takes a path such as '/hermes', not "],
    [{ hosts: 'app.example', access: allow }, "'hosts' of hermesInspector takes a list of host names"],
    [{ hosts: ['https://app.example'], access: allow }, 'without scheme and port'],
    [{ hosts: ['app.example:3000'], access: allow }, 'without scheme and port'],
    [{ hosts: ['App.Example'], access: allow }, 'in small letters'],
  ])('is refused with %o, and told why', (options, why) => {
    expect(() => hermesInspector(home(), options as never)).toThrow(why)
  })

  it('takes an option that is undefined for one that is not set, and refuses what is no Hermes', () => {
    const unset = { write: undefined, basePath: undefined, hosts: undefined, access: undefined, label: undefined }
    expect(() => hermesInspector(home(), unset as never)).not.toThrow()
    for (const target of [undefined, {}, home().memoryStore()])
      expect(() => hermesInspector(target as never)).toThrow('takes what createHermes or createHermesHomes returned')
  })
})

it('starts no stream that nobody would read', async () => {
  const hermes = home()
  let sessions = 0
  const counted = {
    ...hermes,
    sessions: {
      ...hermes.sessions,
      list: () => {
        sessions += 1
        return hermes.sessions.list()
      },
    },
  }
  const { inspector, cookie, get } = await openInspector(counted as typeof hermes)
  expect((await inspector(new Request(`${ORIGIN}/api/live`, { method: 'HEAD', headers: { cookie } }))).status).toBe(200)
  expect(sessions).toBe(0)
  await (await get('/api/live')).body?.getReader().read()
  expect(sessions).toBeGreaterThan(0)
  inspector.close()
})

it('serves the files of the page and nothing else', async () => {
  const { get } = await openInspector(home())
  const html = await (await get('/')).text()
  const files = [...html.matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, path = '']) => path)
  expect(files.length).toBeGreaterThan(2)
  for (const file of files) expect((await get(`/${file}`)).status).toBe(200)
  for (const path of ['/__proto__', '/constructor', '/../package.json', '/%2e%2e/package.json', '/assets/'])
    expect((await get(path)).status).toBe(404)
})
