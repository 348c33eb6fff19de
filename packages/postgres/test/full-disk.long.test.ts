/** A disk of the server that is full: a table space on a small file system. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { postgresBackend } from '../src/postgres-backend.ts'
import { put, textAt, unwrap } from './support/entries.ts'
import { createPostgresServer } from './support/postgres-server.ts'

it('is no_space, loses nothing, and is over once there is room', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-full-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  // Root starts the server as the user nobody.
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m,uid=65534,gid=65534,mode=700', 'tmpfs', folder])
  if (mounted.status !== 0) return context.skip('a small file system cannot be mounted here (needs root)')
  onTestFinished(() => void spawnSync('umount', ['-l', folder]))
  const server = await createPostgresServer()
  onTestFinished(() => server.remove())
  const admin = new pg.Client({ connectionString: server.url })
  await admin.connect()
  await admin.query(`create tablespace small location '${folder}'`)
  await admin.end()
  const pool = new pg.Pool({ connectionString: server.url, max: 2, options: '-c default_tablespace=small' })
  pool.on('error', () => undefined)
  onTestFinished(() => pool.end())

  const storage = postgresBackend(pool)
  unwrap(await put(storage, 'memories/MEMORY.md', 'old'))
  const stored: string[] = []
  const store = (path: string) => storage.update([path], () => ({ put: { [path]: randomBytes(100_000) }, value: path }))
  let refused: Awaited<ReturnType<typeof store>> | undefined
  while (!refused && stored.length < 100) {
    const path = `documents/${stored.length}`
    const written = await store(path)
    if (written.ok) stored.push(path)
    else refused = written
  }
  expect(stored.length).toBeGreaterThan(2)
  expect(refused).toMatchObject({ ok: false, error: { code: 'no_space', message: expect.stringContaining('Free some space there') } })
  expect(unwrap(await storage.list('documents')).map(({ path, size }) => [path, size])).toEqual(
    stored.toSorted().map((path) => [path, 100_000]),
  )
  expect(await textAt(storage, 'memories/MEMORY.md')).toBe('old')

  expect(spawnSync('mount', ['-o', 'remount,size=16m', folder]).status).toBe(0)
  unwrap(await put(storage, 'memories/MEMORY.md', 'new'))
  unwrap(await store(`documents/${stored.length}`))
  await storage.close()
})
