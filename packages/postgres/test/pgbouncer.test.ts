/**
 * Through PgBouncer in transaction mode, which gives each transaction another connection. Runs where the program is installed
 * (Debian: `apt-get install pgbouncer`), and says so where it is not.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { freePort } from '../../../scripts/support/free-port.ts'
import { postgresBackend } from '../src/postgres-backend.ts'
import { addEntry, entriesAt, move, pathsIn, unwrap } from './support/entries.ts'
import { newSchema } from './support/new-schema.ts'

const NOBODY = 65_534
const server = new URL(inject('postgresUrl'))

const findProgram = (): string | undefined => {
  try {
    return execFileSync('sh', ['-c', 'command -v pgbouncer || ls /usr/sbin/pgbouncer'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return undefined
  }
}
const program = findProgram()

describe.runIf(program)(`PgBouncer in transaction mode${program ? '' : ' (left out: pgbouncer is not installed)'}`, () => {
  let folder = ''
  let bouncer: ChildProcess
  let url = ''

  beforeAll(async () => {
    const port = await freePort()
    folder = mkdtempSync(join(tmpdir(), 'hermes-pgbouncer-'))
    writeFileSync(join(folder, 'users.txt'), `"${server.username}" "${server.password}"\n`)
    const settings = [
      '[databases]',
      `* = host=${server.hostname} port=${server.port}`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =`,
      `auth_type = trust\nauth_file = ${join(folder, 'users.txt')}`,
      'pool_mode = transaction\ndefault_pool_size = 4\nmax_client_conn = 100',
    ]
    writeFileSync(join(folder, 'pgbouncer.ini'), `${settings.join('\n')}\n`)
    const asRoot = process.getuid?.() === 0
    chmodSync(folder, 0o755)
    if (asRoot) chownSync(folder, NOBODY, NOBODY)
    bouncer = spawn(program ?? '', [join(folder, 'pgbouncer.ini')], { stdio: 'ignore', ...(asRoot ? { uid: NOBODY, gid: NOBODY } : {}) })
    const address = new URL(server)
    address.port = String(port)
    url = address.href
    const probe = new pg.Pool({ connectionString: url, max: 1 })
    probe.on('error', () => undefined)
    await vi.waitFor(() => probe.query('select 1'), { timeout: 20_000 })
    await probe.end()
  })
  afterAll(() => {
    bouncer.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  it.each(['pg', 'postgres.js'])('keeps all of 8 writers with %s, more than it has connections', async (name) => {
    const schema = newSchema()
    const pool = new pg.Pool({ connectionString: url, max: 8 })
    const sql = postgres(url, { max: 8, prepare: false, onnotice: () => undefined })
    const storages = Array.from({ length: 8 }, () => postgresBackend(name === 'pg' ? pool : sql, { schema, timeoutMs: 40_000 }))
    await Promise.all(
      storages.map(async (storage, writer) => {
        for (let time = 0; time < 10; time++) unwrap(await addEntry(storage, 'hot', `${writer}-${time}`))
        unwrap(await addEntry(storage, `from/${writer}`, 'own'))
      }),
    )
    const [storage] = storages
    expect(new Set(await entriesAt(storage!, 'hot')).size).toBe(80)
    unwrap(await move(storage!, 'from', 'to'))
    expect(await pathsIn(storage!, 'to')).toHaveLength(8)
    await pool.query(`drop schema ${schema} cascade`)
    await pool.end()
    await sql.end()
  })
})
