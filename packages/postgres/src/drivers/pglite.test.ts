import { describe, expect, it } from 'vitest'
import { type PGliteClient, pgliteDriver } from './pglite.ts'

/** Stands for a PGlite, which takes seconds to start: `pglite.conformance.long.test.ts` has a real one. */
const recorded = () => {
  const calls: string[] = []
  const queryable = (where: string) => ({
    query: async (text: string, values?: unknown[]) => {
      calls.push([where, text, ...(values ?? [])].join(' '))
      return { rows: [{ found: text }, null] }
    },
  })
  const client: PGliteClient = {
    ...queryable('alone:'),
    exec: () => expect.unreachable('exec takes no values'),
    transaction: async (work) => {
      calls.push('begin')
      const done = await work(queryable('together:'))
      calls.push('commit')
      return done
    },
  }
  return { calls, driver: pgliteDriver(client) }
}

describe('the driver of PGlite', () => {
  it('runs a single statement with its values, and answers with the rows', async () => {
    const { calls, driver } = recorded()
    expect(await driver.query('select $1', ['a'])).toEqual([{ found: 'select $1' }])
    expect(calls).toEqual(['alone: select $1 a'])
  })

  it('runs several statements in one transaction', async () => {
    const { calls, driver } = recorded()
    await driver.batch(['one', 'two'])
    expect(calls).toEqual(['begin', 'together: one', 'together: two', 'commit'])
  })
})
