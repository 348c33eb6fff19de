/**
 * @hermes/postgres over a network of 5 ms each way: the time of a session's start and of a turn's save, in round trips of `select 1` in the same run, and 400 updates of
 * one document by 8 writers without that delay.
 */
import { connect, createServer, type Socket } from 'node:net'
import { createHermesHomes, type StorageBackend } from '@hermes/core'
import { readDocument, updateDocument } from '@hermes/core/storage'
import { postgresBackend } from '@hermes/postgres'
import pg from 'pg'
import postgres from 'postgres'
import { createPostgresServer } from '../../packages/postgres/test/support/postgres-server.ts'
import { type Cell, type Report, table } from '../report.ts'
import { percentile, timed } from '../timing.ts'

const DELAY_MS = 5
const ROUNDS = 30
const WRITERS = 8
const TIMES = 50

/** Forwards to a port with a delay in both directions. */
const createSlowNetwork = async (port: number): Promise<{ readonly port: number; readonly close: () => void }> => {
  const sockets = new Set<Socket>()
  const delayed = (from: Socket, to: Socket) => from.on('data', (chunk) => setTimeout(() => to.destroyed || to.write(chunk), DELAY_MS))
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true)
      sockets.add(socket)
      socket.on('error', () => undefined)
    }
    delayed(client, upstream)
    delayed(upstream, client)
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Counts the statements that are sent. */
const countingPool = (pool: pg.Pool) => {
  let statements = 0
  const counted = new Proxy(pool, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (name !== 'query' || typeof value !== 'function') return typeof value === 'function' ? value.bind(target) : value
      return (...values: unknown[]) => {
        statements++
        return Reflect.apply(value, target, values)
      }
    },
  })
  const take = (): number => {
    const taken = statements
    statements = 0
    return taken
  }
  return { pool: counted, take }
}

const sessions = async (url: string): Promise<string> => {
  const raw = new pg.Pool({ connectionString: url, max: 10 })
  raw.on('error', () => undefined)
  const { pool, take } = countingPool(raw)
  // Open connections, as in a server that runs.
  await Promise.all(Array.from({ length: 10 }, () => raw.query('select pg_sleep(0.05)')))
  const probe: number[] = []
  for (let round = 0; round < ROUNDS; round++) probe.push(await timed(() => raw.query('select 1')))
  const trip = percentile(probe, 0.5)
  const row = (what: string, times: readonly number[], statements: readonly number[]): readonly Cell[] => {
    const p50 = percentile(times, 0.5)
    return [what, p50.toFixed(1), (p50 / trip).toFixed(1), percentile(statements, 0.5)]
  }

  const starts: Record<string, { times: number[]; statements: number[] }> = {}
  const measure = async (what: string, act: () => Promise<unknown>) => {
    const kind = starts[what] ?? { times: [], statements: [] }
    starts[what] = kind
    take()
    kind.times.push(await timed(act))
    kind.statements.push(take())
  }
  for (let round = 0; round < ROUNDS; round++) {
    const owner = `user-${round}`
    const first = createHermesHomes({ storage: postgresBackend(pool), onEvent: () => undefined })
    await first.for(owner).memoryStore().apply('user', { action: 'add', content: 'Prefers tabs.' })
    await first.for(owner).skillStore().create({ name: 'deploy', content: '---\nname: deploy\ndescription: Deploys.\n---\n\nDo it.\n' })
    await first.for(owner).session('chat').systemBlock()
    await first.settled()
    // Another process: nothing is known of the home.
    const homes = createHermesHomes({ storage: postgresBackend(pool), onEvent: () => undefined })
    await measure('start of a session of a known owner', () => homes.for(owner).session('new').systemBlock())
    await homes.settled()
    const warm = createHermesHomes({ storage: postgresBackend(pool), onEvent: () => undefined })
    const session = warm.for(owner).session('chat')
    await measure('start of a session that is resumed', () => session.systemBlock())
    await warm.settled()
    for (let turn = 0; turn < 2; turn++) {
      session.recordTurn({
        messages: [
          { role: 'user', text: 'Hello' },
          { role: 'assistant', text: 'Hello' },
        ],
      })
      await measure(turn === 0 ? "save of a session's first turn" : 'save of a further turn', () => session.settled())
    }
  }
  const rows = Object.entries(starts).map(([what, { times, statements }]) => row(what, times, statements))
  await raw.end()
  return table(['', 'p50 ms', 'round trips', 'statements'], [row('select 1', probe, [1]), ...rows])
}

const hotDocument = async (what: string, open: () => { storage: StorageBackend; end: () => Promise<void> }): Promise<readonly Cell[]> => {
  const writers = Array.from({ length: WRITERS }, open)
  await Promise.all(writers.map(({ storage }) => storage.list('')))
  let failures = 0
  const took = await timed(() =>
    Promise.all(
      writers.map(async ({ storage }) => {
        for (let time = 0; time < TIMES; time++) {
          const written = await updateDocument(storage, `hot-${what}`, (current) => new Uint8Array((current?.bytes.length ?? 0) + 1))
          if (!written.ok) failures++
        }
      }),
    ),
  )
  const [first] = writers
  const end = first && (await readDocument(first.storage, `hot-${what}`))
  for (const writer of writers) await writer.end()
  return [what, took.toFixed(0), failures, end?.ok ? (end.value?.bytes.length ?? 0) : 0]
}

/** The same by hand: a row lock, a read and a write in each transaction, without anything of Hermes. */
const bareLocks = async (url: string): Promise<readonly Cell[]> => {
  const pool = new pg.Pool({ connectionString: url, max: WRITERS })
  pool.on('error', () => undefined)
  await pool.query('create table bare (path text primary key, bytes bytea)')
  await pool.query("insert into bare values ('hot', '')")
  const write = async (client: pg.PoolClient): Promise<void> => {
    await client.query('begin')
    const { rows } = await client.query("select bytes from bare where path = 'hot' for update")
    await client.query("update bare set bytes = $1 where path = 'hot'", [new Uint8Array(rows[0].bytes.length + 1)])
    await client.query('commit')
  }
  const clients = await Promise.all(Array.from({ length: WRITERS }, () => pool.connect()))
  const took = await timed(() =>
    Promise.all(
      clients.map(async (client) => {
        for (let time = 0; time < TIMES; time++) await write(client)
      }),
    ),
  )
  for (const client of clients) client.release()
  await pool.end()
  return ['bare transactions with a row lock', took.toFixed(0), 0, WRITERS * TIMES]
}

export const measureTrips = async (): Promise<Report> => {
  const server = await createPostgresServer()
  const network = await createSlowNetwork(server.port)
  try {
    const trips = await sessions(server.url.replace(`:${server.port}/`, `:${network.port}/`))
    const bare = await bareLocks(server.url)
    const withPg = await hotDocument('pg', () => {
      const pool = new pg.Pool({ connectionString: server.url, max: 2 })
      pool.on('error', () => undefined)
      return { storage: postgresBackend(pool), end: () => pool.end() }
    })
    const withPostgresJs = await hotDocument('postgres.js', () => {
      const sql = postgres(server.url, { max: 2, onnotice: () => undefined })
      return { storage: postgresBackend(sql), end: () => sql.end() }
    })
    return {
      blocks: [trips, table([`${WRITERS} × ${TIMES} updates of one document`, 'ms', 'failed', 'kept'], [bare, withPg, withPostgresJs])],
    }
  } finally {
    network.close()
    await server.remove()
  }
}
