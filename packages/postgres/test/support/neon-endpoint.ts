/** An HTTP server that speaks the `/sql` protocol of Neon over a real PostgreSQL server, with a pool as Neon's has. */
import { createServer, type IncomingMessage } from 'node:http'
import pg from 'pg'

interface Statement {
  readonly query: string
  readonly params: readonly unknown[]
}

const asText: pg.CustomTypesConfig = { getTypeParser: () => (text: string) => text }

const bodyOf = async (request: IncomingMessage): Promise<Statement | { readonly queries: readonly Statement[] }> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return JSON.parse(Buffer.concat(parts).toString('utf8'))
}

const ISOLATION: Readonly<Record<string, string>> = { ReadCommitted: 'read committed', Serializable: 'serializable' }

const NONE = Symbol('no answer')

export interface NeonEndpoint {
  readonly url: string
  readonly requests: () => number
  /** A request is carried out, and its answer is lost: at once, or once `until` resolves. `skip`: of how many requests before it. */
  readonly loseAnswer: (skip: number, until?: Promise<unknown>) => void
  /** A request gets no answer, and is carried out just before the one that is `wait` after it. `skip`: of how many requests before it. */
  readonly delayRequest: (skip: number, wait?: number) => void
  readonly close: () => Promise<void>
}

export const createNeonEndpoint = async (): Promise<NeonEndpoint> => {
  let requests = 0
  let losing: { after: number; readonly until: Promise<unknown> } | undefined
  let delaysAfter = -1
  let delayedBy = 0
  let delayed: { wait: number; readonly run: () => Promise<unknown> } | undefined

  const pools = new Map<string, pg.Pool>()
  const poolOf = (connectionString: string): pg.Pool => {
    const present = pools.get(connectionString)
    if (present) return present
    const pool = new pg.Pool({ connectionString, max: 20 })
    pool.on('error', () => undefined)
    pools.set(connectionString, pool)
    return pool
  }

  const carryOut = async ({ headers }: IncomingMessage, body: Awaited<ReturnType<typeof bodyOf>>): Promise<unknown> => {
    const client = await poolOf(String(headers['neon-connection-string'])).connect()
    const runOne = async ({ query, params }: Statement) => {
      const { fields, rows, command, rowCount } = await client.query({ text: query, values: [...params], rowMode: 'array', types: asText })
      return { fields, rows, command, rowCount, rowAsArray: true }
    }
    try {
      if (!('queries' in body)) return await runOne(body)
      const level = ISOLATION[String(headers['neon-batch-isolation-level'])] ?? 'read committed'
      await client.query(`begin isolation level ${level}`)
      const results: unknown[] = []
      for (const statement of body.queries) results.push(await runOne(statement))
      await client.query('commit')
      return { results }
    } catch (cause) {
      await client.query('rollback').catch(() => undefined)
      throw cause
    } finally {
      client.release()
    }
  }

  const answerTo = async (request: IncomingMessage): Promise<unknown> => {
    const body = await bodyOf(request)
    if (delaysAfter >= 0 && delaysAfter-- === 0) {
      delayed = { wait: delayedBy, run: () => carryOut(request, body) }
      return NONE
    }
    if (delayed && --delayed.wait === 0) {
      const { run } = delayed
      delayed = undefined
      await run()
    }
    return carryOut(request, body)
  }

  const server = createServer((request, response) => {
    requests++
    const lost = losing && losing.after-- === 0 ? losing.until : undefined
    if (lost !== undefined) losing = undefined
    answerTo(request).then(
      (answer) => {
        if (answer === NONE) return response.destroy()
        if (lost !== undefined) return lost.then(() => response.destroy())
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
      },
      (cause: unknown) => {
        const { message, code, severity, detail } = {
          message: String(cause),
          code: undefined,
          severity: undefined,
          detail: undefined,
          ...(cause as object),
        }
        response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ message, code, severity, detail }))
      },
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/sql`,
    requests: () => requests,
    loseAnswer: (skip, until = Promise.resolve()) => {
      losing = { after: skip, until }
    },
    delayRequest: (skip, wait = 2) => {
      delaysAfter = skip
      delayedBy = wait
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      for (const pool of pools.values()) await pool.end()
    },
  }
}
