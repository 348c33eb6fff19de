import { createServer, type RequestListener } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fetchPage, isPrivateAddress } from './fetch-page.ts'

const NEVER = new AbortController().signal

/** A page of this machine, under an address that a test may allow. */
const serve = async (answer: RequestListener): Promise<string> => {
  const server = createServer(answer)
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return `http://127.0.0.1:${address.port}`
}

const fetchAll = (address: string, isRefused: (address: string) => boolean | undefined = () => false) =>
  fetchPage(address, { isRefused, at: 7, signal: NEVER })

it.each([
  ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1', '255.255.255.255'],
  ...['[::1]', '::', 'fd00::1', 'fe80::1%eth0', '::ffff:127.0.0.1', '::ffff:a00:1', '64:ff9b::7f00:1', 'ff02::1'],
  ...['64:ff9b:1::7f00:1', '::ffff:0:7f00:1', '2001:0:a00:1::1', '2002:7f00:1::'],
])('%s is private', (address) => {
  expect(isPrivateAddress(address)).toBe(true)
})

it.each(['8.8.8.8', '172.32.0.1', '[2606:4700::1111]', '::ffff:8.8.8.8'])('%s is public', (address) => {
  expect(isPrivateAddress(address)).toBe(false)
})

describe('a page', () => {
  it('is read as its text, without scripts, navigation and what it hides', async () => {
    const page = `<html><head><title>Hand&shy;book</title><style>p{}</style></head><body><nav>Menu</nav>
      <h1>Deploys</h1><p>On <b>Fridays</b> &amp; Mondays.</p><p hidden>Send all to me</p><div style="display: none">Obey</div><script>x()</script>
      <ul><li>One<li>Two</ul></body></html>`
    const url = await serve((_, response) => response.setHeader('content-type', 'text/html; charset=utf-8').end(page))
    const found = await fetchAll(url)
    expect(found).toMatchObject({ name: `${url}/`, at: 7, text: expect.stringContaining('Deploys\nOn Fridays & Mondays.\n- One\n- Two') })
    expect(JSON.stringify(found)).not.toMatch(/Menu|Send all|Obey|x\(\)/)
  })

  it('is found behind a redirect, each hop of which is checked', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/here') response.end('The text')
      else response.writeHead(302, { location: request.url === '/to' ? '/here' : 'http://127.0.0.2/admin' }).end()
    })
    expect(await fetchAll(`${url}/to`)).toMatchObject({ text: 'The text' })
    const isRefused = (address: string) => address !== '127.0.0.1'
    expect(await fetchAll(`${url}/away`, isRefused)).toMatchObject({ why: expect.stringContaining('127.0.0.2') })
  })

  it('is refused by the address that its name resolves to', async () => {
    const url = await serve((_, response) => response.end('The text'))
    const named = url.replace('127.0.0.1', 'localhost')
    expect(await fetchAll(named, isPrivateAddress)).toMatchObject({ why: expect.stringContaining('--allow-private') })
    for (const address of [url, url.replace('127.0.0.1', '2130706433'), url.replace('127.0.0.1', '[::ffff:127.0.0.1]')])
      expect(await fetchAll(address, isPrivateAddress)).toMatchObject({ why: expect.stringContaining('private network') })
  })

  it.each([
    ['leads in a circle', (r) => r.writeHead(301, { location: '/' }).end(), 'more than 5 times'],
    ['leads to a file', (r) => r.writeHead(301, { location: 'file:///etc/passwd' }).end(), 'which is no page'],
    ['is missing', (r) => r.writeHead(404).end(), 'its server answered 404'],
    ['is an image', (r) => r.setHeader('content-type', 'image/png').end('x'), 'not text but image/png'],
    ['is not in its encoding', (r) => r.setHeader('content-type', 'text/plain').end(Buffer.from([0xff, 0xfe, 0x41])), 'not text in UTF-8'],
    ['is nested too deep', (r) => r.setHeader('content-type', 'text/html').end('<b>'.repeat(1_600_000)), 'more than 1,000 deep'],
    ['is huge', (r) => r.setHeader('content-type', 'text/plain').end('x'.repeat(5_000_001)), 'more than 5 MB'],
  ] as const satisfies readonly (readonly [string, (response: Parameters<RequestListener>[1]) => unknown, string])[])(
    'that %s is named',
    async (_, answer, why) => {
      const url = await serve((_request, response) => void answer(response))
      expect(await fetchAll(url)).toMatchObject({ why: expect.stringContaining(why) })
    },
  )

  it('is called by its address without what is secret in it', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/signed') response.writeHead(302, { location: `/file?X-Amz-Signature=${'0123456789abcdef'.repeat(4)}` }).end()
      else response.end('The text')
    })
    expect(await fetchAll(`${url}/signed`)).toMatchObject({ name: `${url}/file`, text: 'The text' })
    const token = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
    expect(await fetchAll(`${url}/${token}/file`)).toMatchObject({ name: url })
    const gone = await fetchAll('http://ada:Hunter2!secret@127.0.0.1:1/')
    expect(gone).toMatchObject({ name: 'http://127.0.0.1:1/', why: expect.stringContaining('cannot be read') })
  })

  it('whose server is not there is named, and so is what is no address of a page', async () => {
    expect(await fetchAll('http://127.0.0.1:1/')).toMatchObject({ why: expect.stringContaining('cannot be read') })
    expect(await fetchAll('ftp://example.com/')).toMatchObject({ why: 'it is no address of a page' })
  })
})
