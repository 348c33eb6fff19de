/** Moves beside writers: nothing appears in a folder while it moves, and nothing is lost. */
import { moveDocuments, updateDocument } from '@hermes/core/storage'
import pg from 'pg'
import { afterAll, expect, inject, it } from 'vitest'
import { postgresBackend } from '../src/index.ts'
import { appending, bytes, codeOf, entriesAt, pathsIn, unwrap } from './support/entries.ts'
import { newSchema } from './support/new-schema.ts'

const pool = new pg.Pool({ connectionString: inject('postgresUrl'), max: 10 })
afterAll(() => pool.end())

const withTree = async (run: (storages: readonly ReturnType<typeof postgresBackend>[], schema: string) => Promise<void>): Promise<void> => {
  const schema = newSchema()
  const storages = Array.from({ length: 4 }, () => postgresBackend(pool, { schema }))
  unwrap(await storages[0]!.list(''))
  await run(storages, schema)
  await pool.query(`drop schema ${schema} cascade`)
}

it('makes a writer wait that creates a document in the source or the target of a move', () =>
  withTree(async ([storage], schema) => {
    unwrap(await updateDocument(storage!, 'from/a', () => bytes('a')))
    // The move as another program would run it, held open before its commit.
    const mover = await pool.connect()
    await mover.query('begin')
    await mover.query(`select ${schema}.hermes_move_folder('from', 'to', gen_random_uuid(), 10000)`)
    const finished: string[] = []
    const creations = ['from/late', 'to/late', 'to', 'from', 'elsewhere/doc'].map(async (path) => {
      const code = codeOf(await updateDocument(storage!, path, () => bytes(path)))
      finished.push(path)
      return `${path}: ${code}`
    })
    await expect.poll(() => finished).toEqual(['elsewhere/doc'])
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(finished).toEqual(['elsewhere/doc'])
    await mover.query('commit')
    mover.release()
    const codes = (await Promise.all(creations)).sort()
    // 'from' and 'from/late' exclude each other: whichever is first wins.
    expect(codes.filter((code) => !code.startsWith('from'))).toEqual(['elsewhere/doc: ok', 'to/late: ok', 'to: invalid_path'])
    expect(codes.filter((code) => /^from.*ok$/.test(code))).toHaveLength(1)
    expect((await pathsIn(storage!)).filter((path) => path.startsWith('to'))).toEqual(['to/a', 'to/late'])
  }))

it('makes a move wait for a document that is being created in its folder, and takes it along', () =>
  withTree(async ([storage], schema) => {
    unwrap(await updateDocument(storage!, 'from/a', () => bytes('a')))
    const creator = await pool.connect()
    await creator.query('begin')
    await creator.query(`select ${schema}.hermes_create_document('from/deep/b', 'b', false, gen_random_uuid(), 10000)`)
    const moving = moveDocuments(storage!, 'from', 'to')
    await expect(Promise.race([moving, new Promise((resolve) => setTimeout(resolve, 200, 'waiting'))])).resolves.toBe('waiting')
    await creator.query('commit')
    creator.release()
    unwrap(await moving)
    expect(await pathsIn(storage!)).toEqual(['to/a', 'to/deep/b'])
  }))

it('never makes a document and a folder of the same name, whoever is first', () =>
  withTree(async (storages) => {
    for (let round = 0; round < 15; round++) {
      const paths = [`r${round}`, `r${round}/a`, `r${round}/a/b`, `r${round}`]
      const codes = await Promise.all(
        paths.map(async (path, index) => codeOf(await updateDocument(storages[index]!, path, () => bytes(path)))),
      )
      for (const code of codes) expect(['ok', 'invalid_path']).toContain(code)
      const listed = (await pathsIn(storages[0]!)).filter((path) => path === `r${round}` || path.startsWith(`r${round}/`))
      expect(listed).toHaveLength(1)
    }
  }))

it('keeps every entry of writers that create and update in a folder that moves back and forth', () =>
  withTree(async ([mover, ...writers]) => {
    unwrap(await updateDocument(mover!, 'live/seed', () => bytes('seed')))
    let writing = true
    const moves = (async () => {
      let moved = 0
      for (let round = 0; writing; round++) {
        const code = codeOf(await moveDocuments(mover!, 'live', `archive/${round}`))
        expect(['ok', 'not_found']).toContain(code)
        if (code === 'ok') moved++
      }
      return moved
    })()
    const written = await Promise.all(
      writers.map(async (writer, index) => {
        const entries: string[] = []
        for (let time = 0; time < 40; time++) {
          const entry = `${index}-${time}`
          unwrap(await updateDocument(writer, time % 2 === 0 ? 'live/shared' : `live/new/${index}-${time}`, appending(entry)))
          entries.push(entry)
        }
        return entries
      }),
    )
    writing = false
    expect(await moves).toBeGreaterThan(3)
    const kept = (await Promise.all((await pathsIn(mover!)).map((path) => entriesAt(mover!, path)))).flat()
    expect(kept.filter((entry) => entry !== 'seed').sort()).toEqual(written.flat().sort())
  }))
