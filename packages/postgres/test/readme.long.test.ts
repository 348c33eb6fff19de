/** More of what the README does: reviews by the command line, and recall. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createHermesHomes } from '@hermes/core'
import pg from 'pg'
import { afterAll, expect, inject, it } from 'vitest'
import { postgresBackend } from '../src/postgres-backend.ts'
import { postgresReviewQueue } from '../src/postgres-review-queue.ts'
import { unwrap } from './support/entries.ts'
import { readmeDatabases } from './support/readme-databases.ts'

const PACKAGE = join(import.meta.dirname, '..')
const CLI = join(PACKAGE, '../cli/dist/main.js')
const url = inject('postgresUrl')
const pool = new pg.Pool({ connectionString: url, max: 3 })
afterAll(() => pool.end())

const { blocks, withDatabase } = readmeDatabases(pool, url)

it('runs due reviews with the worker of the command line over the module of the example', () =>
  withDatabase('readme_worker', async (own) => {
    const owner = new pg.Pool({ connectionString: own, max: 2 })
    const queue = postgresReviewQueue(owner)
    const homes = createHermesHomes({ storage: postgresBackend(owner), review: { queue } })
    const session = homes.for('ada').session('chat')
    for (const text of ['I live in Lisbon', 'It is sunny', 'Good night']) session.recordTurn({ messages: [{ role: 'user', text }] })
    expect(await session.end()).toEqual({ ok: true, value: { kind: 'queued' } })

    const op = { action: 'add', content: 'User lives in Lisbon' }
    const evidence = [{ quote: 'I live in Lisbon' }]
    const proposals = [{ target: 'user', op, rationale: 'said', score: 0.9, evidence }]
    const [example = ''] = blocks('js')
    const module = example
      .replace(`'{"proposals": []}'`, JSON.stringify(JSON.stringify({ proposals })))
      .replace(/ from '([^']+)'/g, (_, name) => ` from ${JSON.stringify(import.meta.resolve(name))}`)
    const folder = mkdtempSync(join(tmpdir(), 'hermes-postgres-readme-'))
    writeFileSync(join(folder, 'homes.mjs'), module)
    const run = () =>
      promisify(execFile)(process.execPath, [CLI, 'worker', '--once', '--module', join(folder, 'homes.mjs')], {
        env: { ...process.env, DATABASE_URL: own, COLUMNS: '200' },
      })
    expect((await run()).stdout).toContain('ada · end · read 3 turns: 1 written')
    expect(await homes.for('ada').session('tuesday').systemBlock()).toContain('User lives in Lisbon')
    expect(unwrap(await queue.stats())).toMatchObject({ claimed: 0 })
    expect((await run()).stdout).toContain('0 reviews done')
    rmSync(folder, { recursive: true, force: true })
    await homes.close()
    await owner.end()
  }))

it('recalls in another session what the example stores', () =>
  withDatabase('readme_recall', async (own) => {
    const example = blocks('js').find((each) => each.includes('postgresRecallIndex')) ?? ''
    const driven = `${example}
      import { beginModelCall } from '@hermes/core/adapter'
      const hermes = homes.for('ada')
      const say = async (id, text) => {
        const prompt = [{ role: 'user', text }]
        const { recalled, end } = await beginModelCall({ session: hermes.session(id), offering: [] }, { prompt })
        end({ calledTools: false, turnFinished: true, reply: [{ role: 'assistant', text: 'I see.' }] })
        await hermes.settled()
        return recalled
      }
      await say('first', 'My piano teacher is called Ingrid.')
      console.log(await say('second', 'What is my piano teacher called?'))
      await homes.close()
      await pool.end()`
    const environment = { ...process.env, DATABASE_URL: own }
    const options = { cwd: PACKAGE, env: environment }
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', driven], options)
    expect(stdout).toContain('My piano teacher is called Ingrid.')
  }))
