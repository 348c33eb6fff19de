/** What an index over SQLite stores, finds and forgets. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadDriver } from '../src/sqlite/driver.ts'
import { sqliteRecallIndex } from '../src/sqlite/sqlite-recall-index.ts'
import { find, manyTurns, openIndex, START, turn } from './support/open-index.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const HOUR = 3_600_000

/** Everything that is in a folder, as one text. */
const bytesIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')

describe('sqliteRecallIndex', () => {
  it.each([[''], ['a\0b'], [undefined], [7]])('refuses the folder %j', (folder) => {
    expect(() => Reflect.apply(sqliteRecallIndex, undefined, [{ folder }])).toThrow('sqliteRecallIndex takes { folder }')
  })

  it.each([['..'], ['/etc'], ['a/../b'], ['a//b'], ['A'], ['a\\b'], ['a\0']])(
    'refuses the home %j, which could be elsewhere',
    async (home) => {
      await expect(openIndex(temporaryFolder(), { home })).rejects.toThrow('The folder of a home has names of')
    },
  )

  it('creates nothing before something is stored', async () => {
    const folder = join(temporaryFolder(), 'recall')
    const index = await openIndex(folder)
    expect(await find(index, 'word')).toEqual([])
    expect(await index.recentSessions({ limit: 5 })).toEqual([])
    expect(await index.stats()).toMatchObject({ turns: 0, sessions: 0, archived: 0, bytes: 0 })
    expect(await index.check()).toEqual([])
    expect(await index.prune(START)).toBe(0)
    await index.reindex()
    await index.close()
    expect(existsSync(folder)).toBe(false)
  })

  it('stores an item once, and finds it after it was opened again', async () => {
    const folder = temporaryFolder()
    const first = await openIndex(folder)
    expect(await first.add([turn('a', 'a walk with Biscuit'), turn('b', 'the dentist')])).toBe(2)
    expect(await first.add([turn('a', 'something else'), turn('c', 'the tax return')])).toBe(1)
    await first.close()
    const second = await openIndex(folder)
    expect(await find(second, 'biscuit')).toEqual(['a'])
    expect(await second.stats()).toMatchObject({ turns: 3, sessions: 1 })
    expect(await second.check()).toEqual([])
    await second.close()
  })

  it('closes its files to others', async () => {
    const folder = temporaryFolder()
    const index = await openIndex(folder, { home: 'homes/acme/ada' })
    await index.add([turn('a', 'words')])
    const place = join(folder, 'homes/acme/ada')
    for (const name of readdirSync(place)) expect(statSync(join(place, name)).mode & 0o077).toBe(0)
    expect(readdirSync(place)).toContain('recall.db-wal')
    await index.close()
  })

  it('separates homes', async () => {
    const folder = temporaryFolder()
    const ada = await openIndex(folder, { home: 'ada' })
    const bob = await openIndex(folder, { home: 'bob' })
    await ada.add([turn('a', 'biscuit')])
    expect(await find(bob, 'biscuit')).toEqual([])
    await ada.forget({ kind: 'all', dryRun: false })
    expect(readdirSync(folder)).toEqual([])
    await Promise.all([ada.close(), bob.close()])
  })
})

describe('search', () => {
  it('narrows by session and time, and counts the terms', async () => {
    const index = await openIndex(temporaryFolder())
    await index.add([
      turn('a', 'tea', { source: 's1', at: START }),
      turn('b', 'tea and cake', { source: 's2', at: START + HOUR }),
      turn('c', 'cake', { source: 's2', at: START + 2 * HOUR }),
    ])
    const ids = async (more: object) => (await index.search({ terms: ['tea', 'cak'], limit: 9, ...more })).hits.map(({ id }) => id).sort()
    expect(await ids({})).toEqual(['a', 'b', 'c'])
    expect(await ids({ sessionId: 's2' })).toEqual(['b', 'c'])
    expect(await ids({ excludeSessionId: 's2' })).toEqual(['a'])
    expect(await ids({ after: START + HOUR })).toEqual(['b', 'c'])
    expect(await ids({ before: START + HOUR })).toEqual(['a'])
    expect(await ids({ after: START + HOUR, before: START + 2 * HOUR })).toEqual(['b'])
    const { items, frequencies } = await index.search({ terms: ['tea', 'nothing'], limit: 9 })
    expect([items, [...frequencies]]).toEqual([
      3,
      [
        ['tea', 2],
        ['nothing', 0],
      ],
    ])
    await index.close()
  })

  it('finds the newest sessions where every term is common', async () => {
    const index = await openIndex(temporaryFolder())
    await index.add(
      Array.from({ length: 9_000 }, (_, n) => turn(`t${n}`, 'the same', { source: `s${Math.floor(n / 10)}`, at: START + n, answer: '' })),
    )
    const { hits } = await index.search({ terms: ['the', 'same'], limit: 5 })
    expect(hits.map(({ source }) => source)).toEqual(['s899', 's898', 's897', 's896', 's895'])
    await index.close()
  })

  it('reads a part of a session in the order of time, and lists sessions', async () => {
    const index = await openIndex(temporaryFolder())
    await index.add(manyTurns(12).toReversed())
    const window = await index.readSession({ sessionId: 'chat-1', at: START + 7 * 60_000, before: 1, after: 2 })
    expect(window.map(({ id }) => id)).toEqual(['word-6', 'word-7', 'word-8'])
    const recent = await index.recentSessions({ limit: 2, excludeSessionId: 'chat-1' })
    expect(recent).toEqual([
      {
        sessionId: 'chat-2',
        firstAt: START + 600_000,
        lastAt: START + 660_000,
        turns: 2,
        automated: false,
        opening: 'We spoke of word10 and the weather.',
      },
      {
        sessionId: 'chat-0',
        firstAt: START,
        lastAt: START + 240_000,
        turns: 5,
        automated: false,
        opening: 'We spoke of word0 and the weather.',
      },
    ])
    await index.close()
  })

  it('holds archived items until they are no longer archived', async () => {
    const index = await openIndex(temporaryFolder())
    const entry = (id: string, answer: string) => ({ ...turn(id, ''), kind: 'entry' as const, source: 'MEMORY.md', answer })
    await index.replaceArchived([entry('e1', 'The boiler is a Nilsen.'), entry('e2', 'Parks behind the mill.')])
    expect(await find(index, 'boil')).toEqual(['e1'])
    await index.replaceArchived([entry('e2', 'Parks behind the mill.'), entry('e3', 'Likes rye bread.')])
    expect(await find(index, 'boil', 'park', 'rye')).toEqual(['e2', 'e3'])
    expect(await index.stats()).toMatchObject({ archived: 2, turns: 0 })
    await index.close()
  })
})

describe('forgetting', () => {
  it('leaves nothing of a text in any file, and counts without erasing first', async () => {
    const folder = temporaryFolder()
    const index = await openIndex(folder)
    await index.add([
      ...manyTurns(300),
      turn('secret', 'Our safe opens with zanzibarquokka.', { source: 'private' }),
      turn('other', 'The weather again.', { source: 'chat-x' }),
    ])
    await index.vectors.set('m', [{ kind: 'turn', id: 'secret', vectors: [Float32Array.of(1, 2)] }])
    const target = { kind: 'text', text: 'zanzibarquokka', matches: (text: string) => text.includes('zanzibarquokka') } as const
    expect(bytesIn(folder)).toContain('zanzibarquokka')
    expect(await index.forget({ ...target, dryRun: true })).toBe(1)
    expect(await find(index, 'zanzibarquokka')).toEqual(['secret'])
    expect(await index.forget({ ...target, dryRun: false })).toBe(1)
    expect(bytesIn(folder)).not.toContain('zanzibarquokka')
    expect(await find(index, 'zanzibarquokka')).toEqual([])
    expect(await index.stats()).toMatchObject({ turns: 301, sessions: 61, vectors: 0 })
    expect(await index.check()).toEqual([])
    expect(await index.forget({ ...target, dryRun: false })).toBe(0)
    await index.close()
  })

  it('leaves nothing of a session, also if it was the opening of another', async () => {
    const folder = temporaryFolder()
    const index = await openIndex(folder)
    await index.add([
      turn('a', 'xylophonequark one', { source: 's1' }),
      turn('b', 'xylophonequark two', { source: 's1' }),
      turn('c', 'three', { source: 's2' }),
    ])
    expect(await index.forget({ kind: 'session', sessionId: 's1', dryRun: false })).toBe(2)
    expect(bytesIn(folder)).not.toContain('xylophonequark')
    expect((await index.recentSessions({ limit: 9 })).map(({ sessionId }) => sessionId)).toEqual(['s2'])
    await index.close()
  })

  it('removes the files of a home, and works on anew', async () => {
    const folder = temporaryFolder()
    const index = await openIndex(folder, { home: 'homes/ada' })
    await index.add(manyTurns(10))
    expect(await index.forget({ kind: 'all', dryRun: true })).toBe(10)
    expect(await index.forget({ kind: 'all', dryRun: false })).toBe(10)
    expect(readdirSync(folder)).toEqual([])
    expect(await find(index, 'weath')).toEqual([])
    await index.add([turn('new', 'after it')])
    expect(await find(index, 'after')).toEqual(['new'])
    await index.close()
  })

  it('erases old turns, but no archived items', async () => {
    const folder = temporaryFolder()
    const index = await openIndex(folder)
    await index.add(manyTurns(100))
    await index.replaceArchived([{ ...turn('e', ''), kind: 'entry', at: 0, answer: 'The boiler is old.' }])
    expect(await index.prune(START + 50 * 60_000)).toBe(50)
    expect(await find(index, 'word49', 'word50', 'boil')).toEqual(['e', 'word-50'])
    await index.close()
  })
})

describe('reindex', () => {
  it('makes the terms anew, reports progress and can be stopped', async () => {
    const index = await openIndex(temporaryFolder())
    await index.add(manyTurns(200))
    const seen: number[] = []
    await index.reindex((done) => seen.push(done))
    expect(seen.length).toBeGreaterThan(1)
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
    expect(await find(index, 'word7')).toEqual(['word-7'])
    const stop = new AbortController()
    stop.abort()
    await index.reindex(undefined, stop.signal)
    expect(await find(index, 'word7', 'word190')).toEqual(['word-190', 'word-7'])
    await index.close()
  })

  it('happens by itself for another version of the terms, and an older package refuses the file', async () => {
    const folder = temporaryFolder()
    const old = await openIndex(folder)
    await old.add(manyTurns(60))
    await old.close()
    const newer = await openIndex(folder, { termsVersion: 1_000 })
    expect(await find(newer, 'word3')).toEqual(['word-3'])
    await expect.poll(async () => newer.check(), { timeout: 20_000 }).toEqual([])
    await newer.close()
    const older = await openIndex(folder)
    await expect(find(older, 'word3')).rejects.toThrow('was made by a newer @hermes/recall')
    await older.close()
  })
})

describe('projects', () => {
  const fill = async (folder: string) => {
    const index = await openIndex(folder)
    await index.add([
      turn('own', 'The kiln is hot.'),
      turn('web', 'The kiln is in the webshop.', { project: 'web', at: START + 1 }),
      turn('blog', 'The kiln is in the blog.', { project: 'blog', at: START + 2 }),
    ])
    return index
  }

  it.each([
    ['web', ['own', 'web']],
    ['other', ['own']],
    ['', ['own']],
    [undefined, ['blog', 'own', 'web']],
  ])('finds from %j what was said there and without one, in one session too', async (project, expected) => {
    const index = await fill(temporaryFolder())
    const scope = project === undefined ? {} : { project }
    const idsOf = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id).sort()
    const one = { terms: ['kiln'], limit: 9 }
    expect(idsOf((await index.search({ ...one, ...scope })).hits)).toEqual(expected)
    expect(idsOf((await index.search({ ...one, ...scope, sessionId: 'chat-1' })).hits)).toEqual(expected)
    expect(idsOf(await index.readSession({ sessionId: 'chat-1', at: START, before: 9, after: 9, ...scope }))).toEqual(expected)
    const vector = new Float32Array([1, 0])
    await index.vectors.set(
      'm',
      ['own', 'web', 'blog'].map((id) => ({ kind: 'turn', id, vectors: [vector] })),
    )
    expect(idsOf(await index.vectors.nearest('m', vector, { limit: 9, ...scope }))).toEqual(expected)
    const among = ['web', 'blog'].map((id) => ({ kind: 'turn' as const, id }))
    expect(idsOf(await index.vectors.nearest('m', vector, { limit: 9, ...scope, among }))).toEqual(expected.filter((id) => id !== 'own'))
    const sessions = await index.recentSessions({ limit: 9, ...scope })
    expect(sessions.map((each) => each.project ?? 'own').sort()).toEqual(expected)
    for (const { project: of = 'hot', opening, turns } of sessions) {
      expect(opening).toContain(of)
      expect(turns).toBe(1)
    }
    await index.close()
  })

  it('sums a session up for each of its projects after a part was forgotten', async () => {
    const index = await fill(temporaryFolder())
    await index.forget({ kind: 'text', text: 'hot', matches: (text) => text.includes('hot'), dryRun: false })
    expect((await index.recentSessions({ limit: 9 })).map(({ opening }) => opening)).toEqual([
      'The kiln is in the blog.',
      'The kiln is in the webshop.',
    ])
    await index.close()
  })

  it('opens a file that knew none, whose turns are of none, and whose vectors are made anew', async () => {
    const folder = temporaryFolder()
    const before = await openIndex(folder)
    await before.add([turn('own', 'The kiln is hot.')])
    await before.close()
    const db = (await loadDriver())(join(folder, 'recall.db'))
    db.exec(`alter table items drop column project;
drop index sessions_by_time;
alter table sessions rename to known;
create table sessions (source text primary key, first_at integer not null, last_at integer not null, turns integer not null,
automated integer not null, opening text not null) strict;
insert into sessions select source, first_at, last_at, turns, automated, opening from known;
drop table known;
create index sessions_by_time on sessions (last_at);
drop table vectors;
drop table vector_models;
drop table vector_signs;
create table vectors (n integer primary key, model text not null, vector blob not null) strict;
insert into vectors values (1, 'm', x'00000000');
pragma user_version = 1`)
    db.close()
    const index = await openIndex(folder)
    await index.add([turn('web', 'The kiln is in the webshop.', { project: 'web', at: START + 1 })])
    const found = async (project: string) => (await index.search({ terms: ['kiln'], limit: 9, project })).hits.map(({ id }) => id).sort()
    expect(await found('web')).toEqual(['own', 'web'])
    expect(await found('blog')).toEqual(['own'])
    expect((await index.recentSessions({ limit: 9 })).map(({ project, turns }) => [project, turns])).toEqual([
      ['web', 1],
      [undefined, 1],
    ])
    expect((await index.vectors.missing('m', 9)).map(({ id }) => id)).toEqual(['web', 'own'])
    expect(await index.check()).toEqual([])
    await index.close()
  })
})
