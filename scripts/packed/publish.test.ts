/** The last step of a release, tried with what was packed: npm takes every package, and `pnpm release` uploads nothing while something is wrong. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest'
import { readTarball } from '../release/facts.ts'
import { PLACEHOLDER, readManifest } from '../release/manifests.ts'
import { PUBLISHED } from '../support/published.ts'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)
/** Knows no package. */
let server: Server
let registry = ''
let asked: string[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.method ?? '')
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('A listening server has a port.')
  registry = `http://127.0.0.1:${address.port}`
})

beforeEach(() => {
  asked = []
})

afterAll(() => server.close())

it('npm would publish every package, for everybody', async () => {
  const { scratch } = inject('packed')
  for (const name of PUBLISHED) {
    const { path } = readTarball(join(scratch, 'tarballs'), name)
    const { stdout, stderr } = await run('npm', ['publish', path, '--dry-run', '--json', `--registry=${registry}`], { cwd: scratch })
    const { name: published, version }: { name: string; version: string } = JSON.parse(stdout)[`@hermes/${name}`] ?? JSON.parse(stdout)
    expect({ published, version }).toEqual({ published: `@hermes/${name}`, version: readManifest(join(ROOT, 'packages', name)).version })
    expect(stderr).toContain('public access')
    // npm says so if it has to mend a package.json.
    expect(stderr).not.toContain('auto-corrected')
  }
  expect(asked).not.toContain('PUT')
})

it('`pnpm release` says everything that is wrong with this copy and uploads nothing', async () => {
  const args = [join(ROOT, 'scripts/release/main.ts'), '--registry', registry]
  const failure: { code?: number; stderr?: string } = await run(process.execPath, args).then(() => ({}), Object)
  expect(failure.code).toBe(1)
  expect(failure.stderr).toContain('Nothing is published:')
  const isOwned = !readManifest(ROOT).repository.url.includes(`/${PLACEHOLDER}/`)
  for (const name of isOwned ? [] : PUBLISHED) expect(failure.stderr).toContain(`@hermes/${name} still names '${PLACEHOLDER}'`)
  expect(new Set(asked)).toEqual(new Set(['GET']))
})
