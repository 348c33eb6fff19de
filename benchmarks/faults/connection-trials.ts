/** A home in PostgreSQL behind a proxy that cuts the connection at a storage call: the back end must find out what became of the statement. */
import type { StorageBackend } from '@hermes/core'
import { postgresBackend } from '@hermes/postgres'
import pg from 'pg'
import { type Cut, createCuttingProxy } from '../../packages/postgres/test/support/cutting-proxy.ts'
import { createPostgresServer } from '../../packages/postgres/test/support/postgres-server.ts'
import { type Disturb, faultyBackend } from './faulty-backend.ts'
import { fillHome, type Scenario, START } from './scenarios.ts'
import { runTrials, spread, type Trials, tryFault } from './try-fault.ts'

export interface ConnectionTrials {
  /** `before`: the server never gets the first statement of the call. `after`: its answer is lost. */
  readonly run: (scenario: Scenario, when: Cut, most: number) => Promise<Trials>
  readonly close: () => Promise<void>
}

const NEVER = 'no statement has this text'

/** Starts a server of its own. */
export const openConnectionTrials = async (): Promise<ConnectionTrials> => {
  const server = await createPostgresServer()
  const { hostname, port } = new URL(server.url)
  const proxy = await createCuttingProxy({ host: hostname, port: Number(port) })
  const throughProxy = new URL(server.url)
  throughProxy.port = String(proxy.port)
  const [direct, cut] = [server.url, throughProxy.href].map((connectionString) => {
    const pool = new pg.Pool({ connectionString, max: 4 })
    pool.on('error', () => {})
    return pool
  }) as [pg.Pool, pg.Pool]
  let schemas = 0

  /** `use` gets the same documents over a direct connection, and through the proxy. */
  const withHome = async <T>(scenario: Scenario, use: (storage: StorageBackend, cutStorage: StorageBackend) => Promise<T>): Promise<T> => {
    const schema = `faults_${++schemas}`
    const storage = postgresBackend(direct, { schema })
    try {
      await fillHome(storage)
      await scenario.prepare?.(storage)
      return await use(storage, postgresBackend(cut, { schema }))
    } finally {
      await direct.query(`drop schema ${schema} cascade`)
    }
  }

  return {
    run: async (scenario, when, most) => {
      const { calls } = await withHome(scenario, async (_, through) => {
        const counted = faultyBackend(through, (_, call) => call())
        if ((await scenario.act(counted, START)) !== 'done') throw new Error(`${scenario.name} does not succeed without a fault.`)
        return counted.counts()
      })
      return runTrials(scenario.name, `connection cut ${when}`, spread(calls, most), calls, (at) =>
        withHome(scenario, async (storage, through) => {
          let number = 0
          const cutAt: Disturb = (_, call) => {
            // Each chunk that a client sends contains the empty text.
            if (++number === at) proxy.cutAt('', when)
            return call()
          }
          const before = proxy.cuts()
          const wrong = await tryFault(faultyBackend(through, cutAt), storage, scenario)
          const isCut = proxy.cuts() > before
          proxy.cutAt(NEVER, when)
          return isCut ? wrong : [...wrong, 'no connection was cut']
        }),
      )
    },
    close: async () => {
      await cut.end()
      await direct.end()
      await proxy.close()
      await server.remove()
    },
  }
}
