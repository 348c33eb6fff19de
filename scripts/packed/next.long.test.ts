/**
 * A Next.js app with the file back end, installed by npm, built by Turbopack and started: it remembers, and takes the lock that Python
 * Hermes uses.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { createReader, type Reader } from './reader.ts'

const APP: Readonly<Record<string, string>> = {
  'app/layout.jsx': 'export default ({ children }) => <html lang="en"><body>{children}</body></html>\n',
  'app/page.jsx': 'export default () => <p>Hermes</p>\n',
  'app/api/note/route.js': `
    import { createHermes } from '@hermes/core'
    import { fileSystemBackend } from '@hermes/core/file-system'
    export const dynamic = 'force-dynamic'
    const warnings = []
    const storage = fileSystemBackend(process.env.HERMES_TEST_HOME, { onWarning: (warning) => warnings.push(warning) })
    const hermes = createHermes({ storage })
    export async function POST(request) {
      const written = await hermes.memoryStore().apply('user', { action: 'add', content: await request.text() })
      const block = await hermes.session().systemBlock()
      return Response.json({ ok: written.ok, block, warnings })
    }
  `,
}

/** Calls the route until the server answers. */
const post = async (port: number, text: string): Promise<unknown> => {
  for (let attempt = 0; ; attempt++) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/api/note`, { method: 'POST', body: text })
      return await response.json()
    } catch (cause) {
      if (attempt === 150) throw cause
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}

const next = (reader: Reader): string => join(reader.folder, 'node_modules/next/dist/bin/next')

it('builds, starts and remembers', async () => {
  const reader = await createReader()
  await reader.install(['@hermes/core', 'next@16', 'react@19', 'react-dom@19'])
  for (const [file, text] of Object.entries(APP)) {
    await mkdir(dirname(join(reader.folder, file)), { recursive: true })
    await writeFile(join(reader.folder, file), text)
  }
  const env = { HERMES_TEST_HOME: join(reader.home, 'memory'), NEXT_TELEMETRY_DISABLED: '1' }
  await reader.execute('node', [next(reader), 'build'], env)

  const port = await freePort()
  const server = spawn('node', [next(reader), 'start', '--port', String(port), '--hostname', '127.0.0.1'], {
    cwd: reader.folder,
    env: { ...process.env, ...env },
    stdio: 'ignore',
  })
  const ended = once(server, 'exit')
  try {
    expect(await post(port, 'Prefers tabs.')).toMatchObject({ ok: true, warnings: [], block: expect.stringContaining('Prefers tabs.') })
    expect(await readFile(join(reader.home, 'memory/memories/USER.md'), 'utf8')).toBe('Prefers tabs.')
  } finally {
    server.kill('SIGKILL')
    await ended
  }
})
