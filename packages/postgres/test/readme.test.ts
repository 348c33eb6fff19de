/** The example and the SQL of the README do what it says. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, expect, inject, it } from 'vitest'
import { postgresBackend } from '../src/postgres-backend.ts'
import { postgresRecallIndex } from '../src/postgres-recall-index.ts'
import { postgresReviewQueue } from '../src/postgres-review-queue.ts'
import { migrationSql } from '../src/schema/migration-sql.ts'
import { codeOf, move, pathsIn, put, textAt, unwrap } from './support/entries.ts'
import { readmeDatabases } from './support/readme-databases.ts'
import { find, openRecallHome, turn } from './support/recall-homes.ts'

const PACKAGE = join(import.meta.dirname, '..')
const url = inject('postgresUrl')
const pool = new pg.Pool({ connectionString: url, max: 3 })
afterAll(() => pool.end())

const { blocks, withDatabase, dropWhenUnused } = readmeDatabases(pool, url)

it('runs the example against the built package', () =>
  withDatabase('readme_example', async (own) => {
    const [example = ''] = blocks('ts')
    const environment = { ...process.env, DATABASE_URL: own }
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', example], {
      cwd: PACKAGE,
      env: environment,
    })
    expect(stdout).toContain('Prefers tabs.')
  }))

it('keeps tenants apart by the policy, also from code that asks for another folder', () =>
  withDatabase('readme_policy', async (own) => {
    const owner = new pg.Pool({ connectionString: own, max: 2 })
    await owner.query(migrationSql({ recall: true }))
    const [grants = '', policy = '', recall = ''] = blocks('sql')
    await owner.query(
      "create role app; create role acme login password 'acme-secret' in role app; create role globex login password 'globex-secret' in role app",
    )
    await owner.query(grants)
    await owner.query(policy)
    await owner.query(recall)
    await owner.query((policy + recall).replaceAll('acme', 'globex').replaceAll(/alter table[^;]*;/g, ''))

    const poolOf = (role: string) => {
      const address = new URL(own)
      address.username = role
      address.password = `${role}-secret`
      return new pg.Pool({ connectionString: address.href, max: 2 })
    }
    const [acmePool, globexPool] = [poolOf('acme'), poolOf('globex')]
    const acme = postgresBackend(acmePool)
    const globex = postgresBackend(globexPool)
    unwrap(await put(acme, 'homes/acme/alice/memories/MEMORY.md', 'of acme'))
    unwrap(await put(globex, 'homes/globex/bob/memories/MEMORY.md', 'of globex'))
    expect(await pathsIn(globex)).toEqual(['homes/globex/bob/memories/MEMORY.md'])
    expect(await textAt(globex, 'homes/acme/alice/memories/MEMORY.md')).toBeUndefined()
    for (const outcome of [
      await put(globex, 'homes/acme/alice/memories/MEMORY.md', 'stolen'),
      await put(globex, 'homes/acme/new', 'planted'),
      await move(globex, 'homes/globex/bob', 'homes/acme/bob'),
      await move(globex, 'homes/acme/alice', 'homes/globex/alice'),
    ]) {
      expect(['unwritable', 'not_found', 'locked']).toContain(codeOf(outcome))
    }
    expect(await textAt(acme, 'homes/acme/alice/memories/MEMORY.md')).toBe('of acme')

    const [acmeQueue, globexQueue] = [postgresReviewQueue(acmePool), postgresReviewQueue(globexPool)]
    const review = { owner: { tenant: 'acme', user: 'alice' }, kind: 'turns', dueAt: 1_000 } as const
    unwrap(await acmeQueue.add(review))
    expect(codeOf(await globexQueue.add({ ...review, kind: 'end' }))).toBe('unwritable')
    expect(unwrap(await globexQueue.claim({ limit: 10, leaseMs: 60_000 }))).toEqual([])
    const [claim] = unwrap(await acmeQueue.claim({ limit: 10, leaseMs: 60_000 }))
    expect(claim).toMatchObject(review)
    if (!claim) throw new Error('nothing was claimed')
    expect(codeOf(await globexQueue.end(claim, 'done'))).toBe('superseded')
    unwrap(await acmeQueue.end(claim, 'done'))

    const open = async (client: pg.Pool, folder: string) => (await openRecallHome(postgresRecallIndex(client), folder)).index
    const alice = await open(acmePool, 'homes/acme/alice')
    await alice.add([turn('1', 'first', 1, 'The bees swarm in May')])
    await alice.vectors.set('m', [{ kind: 'turn', id: '1', vectors: [new Float32Array([1, 2])] }])
    const intruder = await open(globexPool, 'homes/acme/alice')
    expect(await find(intruder, 'bees')).toEqual([])
    expect(await intruder.stats()).toMatchObject({ turns: 0, vectors: 0 })
    expect(await intruder.forget({ kind: 'all', dryRun: false })).toBe(0)
    await expect(intruder.add([turn('2', 'first', 1, 'planted')])).rejects.toMatchObject({ code: 'unwritable' })
    await (await open(globexPool, 'homes/globex/bob')).add([turn('1', 'first', 1, 'The dentist moved')])
    expect(await find(alice, 'bees dentist planted')).toEqual(['1'])
    expect(await alice.check()).toEqual([])
    await Promise.all([acmePool.end(), globexPool.end(), owner.end()])
    await dropWhenUnused('readme_policy')
    await pool.query('drop role acme; drop role globex; drop role app')
  }))
