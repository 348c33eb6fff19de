import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codePoint } from '../../test/support/code-point.ts'
import { renderMemoryBlock } from '../memory/memory-block.ts'
import { OUTSIDE_HEADING } from '../memory/outside-heading.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { updateJsonDocument } from '../storage/json-document.ts'
import { updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { checkStoragePath } from '../storage/storage-paths.ts'
import { redactBlock, redactRecord } from './record-redaction.ts'
import { changeRecord, countsOf, isOfSession, newSessionRecord, readCopyName, sessionPath, unreadableCopy } from './session-record.ts'
import { sessionRecordSchema } from './session-record-schema.ts'
import { pruneSessions } from './tidy-home.ts'

describe('sessionPath', () => {
  it('is a valid document path in the sessions folder for any id', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: codePoint }), (id) => {
        const path = sessionPath(id.toWellFormed())
        expect(checkStoragePath(path).ok).toBe(true)
        expect(path).toMatch(/^sessions\/[^/]+\.json$/)
      }),
      { seed: 7 },
    )
  })

  it('never lets two ids meet, not even if case does not count', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 200 }), fc.string({ minLength: 1, maxLength: 200 }), (one, other) => {
        fc.pre(one !== other)
        expect(sessionPath(one).toLowerCase()).not.toBe(sessionPath(other).toLowerCase())
      }),
      { seed: 7 },
    )
    expect(sessionPath('Chat').toLowerCase()).not.toBe(sessionPath('chat').toLowerCase())
    expect(sessionPath('x'.repeat(300))).not.toBe(sessionPath('x'.repeat(301)))
  })

  it.each([
    ['chat-42', 'chat-42'],
    ['a_b', 'a_b'],
    ['Chat', '~43hat'],
    ['a/b', 'a~2fb'],
    ['\na', '~0aa'],
    ['ü', '~c3~bc'],
  ])('writes %j as %s', (id, name) => {
    expect(sessionPath(id)).toBe(`sessions/${name}.json`)
  })
})

describe('the session record', () => {
  const record = newSessionRecord('a', 'BLOCK', 1_000)

  it('fits its own schema', () => {
    expect(sessionRecordSchema.parse(record)).toEqual(record)
  })

  it('adds what a process counted to what others counted', () => {
    const next = [{ turns: 2 }, { iterations: 4 }].reduce(changeRecord, { ...record, userTurns: 7, iterations: 5 })
    expect(next).toEqual({ ...record, userTurns: 9, iterations: 9 })
  })

  it('keeps the stored text unless a refresh replaces it', () => {
    expect(changeRecord(record, { turns: 1 }).block).toBe('BLOCK')
    expect(changeRecord(record, { block: 'NEW' }).block).toBe('NEW')
  })

  it('has text from outside in sight from a block that shows some, and for good', () => {
    const shows = { block: `TEXT\n${OUTSIDE_HEADING}\nMore.` }
    expect(newSessionRecord('a', shows.block, 1)).toMatchObject({ tainted: true, turnOpen: false })
    const seen = changeRecord(record, shows)
    expect([record.tainted, seen.tainted, changeRecord(seen, { block: 'TEXT' }).tainted]).toEqual([false, true, true])
  })

  it('places changes of the text among the turns, whenever they are saved', () => {
    const turn = { turns: 1 }
    const changes = [turn, { block: 'B', blockChangedAt: 5 }, turn, turn, { block: 'C', blockChangedAt: 7 }, turn]
    const next = changes.reduce(changeRecord, { ...record, userTurns: 4 })
    expect(next).toMatchObject({ userTurns: 8, changed: { times: 2, at: 7, turns: 7 } })
    expect(sessionRecordSchema.parse(next)).toEqual(next)
    expect(changeRecord(next, turn).changed).toEqual(next.changed)
  })

  it('keeps the names of loaded skills once each, the newest last, of all processes together, and not too many', () => {
    const load = (loadedSkill: string) => ({ loadedSkill })
    const next = ['deploy', 'triage', 'deploy'].map(load).reduce(changeRecord, { ...record, loadedSkills: ['triage', 'release'] })
    expect(next.loadedSkills).toEqual(['release', 'triage', 'deploy'])
    const many = Array.from({ length: 50 }, (_, at) => load(`s${at}`)).reduce(changeRecord, next)
    expect(many.loadedSkills).toHaveLength(20)
    expect(many.loadedSkills?.at(-1)).toBe('s49')
  })
})

describe('what the home keeps of a session', () => {
  const record = newSessionRecord('a', 'BLOCK', 1_000)
  const turns = [3, 4].map((number) => ({ number, messages: [] }))

  it.each([
    ['without turns', { iterations: 7 }, { turns: 0, iterations: 0 }, 0],
    ['whose text is kept', { userTurns: 4, iterations: 7, unread: turns }, { turns: 2, iterations: 7 }, 2],
    ['whose text is not kept', { userTurns: 4, iterations: 7 }, { turns: 4, iterations: 7 }, 0],
  ])('is which turns were reviewed, as far as its record tells: %s', (_, more, reviewed, kept) => {
    const { userTurns = 0 } = more as { readonly userTurns?: number }
    expect(countsOf({ ...record, userTurns: 0, unread: [], ...more })).toMatchObject({ turns: userTurns, iterations: 7, reviewed, kept })
  })
})

describe('the documents of a session', () => {
  const copies = [unreadableCopy(sessionPath('one'), 1), unreadableCopy(sessionPath('one'), 2), unreadableCopy(sessionPath('two'), 3)]

  it('are its record and copies of it', () => {
    expect(isOfSession(sessionPath('one'), 'one')).toBe(true)
    expect(isOfSession(copies[0] ?? '', 'one')).toBe(true)
    expect(isOfSession(copies[0] ?? '', 'two')).toBe(false)
    expect(isOfSession('sessions/.unreadable/note', 'note')).toBe(false)
    expect(readCopyName('sessions/.unreadable/12-one.json')).toEqual({ name: 'one.json', at: 12 })
    for (const none of ['sessions/12-one.json', 'sessions/.unreadable/x12-one.json']) expect(readCopyName(none)).toBeUndefined()
  })
})

const redaction = {
  matches: (text: string) => text.replace(/\s+/g, ' ').includes('zebra one'),
  cut: (text: string) => text.replaceAll(/zebra\s+one/g, '(erased)'),
}

const anEntry = fc.record({
  words: fc.array(fc.constantFrom('tea', 'one', 'zebra', '> quoted', '§', 'a\nb', 'x\n\ny'), { minLength: 1, maxLength: 4 }),
  isErased: fc.boolean(),
  isOutside: fc.boolean(),
})

const CATALOG = `${'═'.repeat(46)}\nSKILLS (instructions kept from earlier work)\n${'═'.repeat(46)}\nLoad it first.\n\nwithout category:\n- feed: Feeds.`

/** The usage of a store is that of the session's start. */
const withoutUsage = (block: string): string => block.replace(/ \[[^\]\n]*chars\]/g, '')

describe('redactBlock', () => {
  it('is what the block would be without the erased entries, to the letter', () => {
    fc.assert(
      fc.property(fc.array(anEntry, { maxLength: 5 }), fc.array(anEntry, { maxLength: 5 }), fc.boolean(), (memory, user, hasSkills) => {
        const render = (isKept: (entry: { readonly isErased: boolean }) => boolean) => {
          const store = (target: 'memory' | 'user', all: typeof memory) => {
            const entries = all
              .map((entry, at) => ({
                ...entry,
                text: `${at} ${entry.words.filter((word) => word !== 'zebra').join('. ')}${entry.isErased ? ' zebra\none' : ''}!`,
              }))
              .filter(isKept)
            const facts = entries.map(({ text, isOutside }) => ({ entry: text, origin: isOutside ? ('tool' as const) : ('user' as const) }))
            return renderMemoryBlock({ target, facts, charLimit: 10_000 }, 10_000)
          }
          const parts = [store('memory', memory), store('user', user), hasSkills ? CATALOG : undefined]
          return parts.filter((part) => part !== undefined).join('\n\n')
        }
        expect(
          withoutUsage(
            redactBlock(
              render(() => true),
              redaction,
            ),
          ),
        ).toBe(withoutUsage(render(({ isErased }) => !isErased)))
      }),
      { seed: 7 },
    )
  })

  it.each([
    ['a line feed', '\n'],
    ['a vertical tab', '\v'],
    ['a form feed', '\f'],
    ['a next line', '\u0085'],
    ['a line separator', '\u2028'],
    ['a paragraph separator', '\u2029'],
  ])('finds a text in quoted lines, after %s', (_what, end) => {
    const heading = `${'═'.repeat(46)}\nMEMORY\n${'═'.repeat(46)}\n`
    const inAnyLines = { ...redaction, matches: (text: string) => redaction.matches(text.replaceAll(end, ' ')) }
    for (const entry of [`> zebra${end}> one`, `He wrote:${end}> zebra${end}> one`])
      expect(redactBlock(`${heading}Likes tea.\n§\n${entry}`, inAnyLines)).toBe(`${heading}Likes tea.`)
  })

  const MEMORY = `${'═'.repeat(46)}\nMEMORY\n${'═'.repeat(46)}\n`

  it('keeps a long entry of a store without entries from outside as it is', () => {
    const long = 'Likes tea with milk. '.repeat(40).trim()
    expect(redactBlock(`${MEMORY}${long}\n§\nzebra one`, redaction)).toBe(`${MEMORY}${long}`)
  })

  it('cuts a text that is in no entry, and gives up the block if that does not help', () => {
    const block = `${'═'.repeat(46)}\nMEMORY of zebra one\n${'═'.repeat(46)}\nLikes tea.`
    expect(redactBlock(block, redaction)).toBe(block.replace('zebra one', '(erased)'))
    expect(redactBlock(block, { ...redaction, cut: (text) => text })).toBe('')
  })
})

it('takes a whole turn and the name of a skill out of a record', () => {
  const turn = (text: string) => ({
    number: 1,
    messages: [
      { role: 'user' as const, text },
      { role: 'assistant' as const, text: 'Fine.' },
    ],
  })
  const record = {
    ...newSessionRecord('one', 'BLOCK', 1),
    unread: [turn('tea'), turn('my zebra one')],
    loadedSkills: ['zebra one', 'tea'],
    loadedInTurn: ['zebra one', 'tea'],
    failedUses: [
      { turn: 1, skill: 'zebra one', tool: 'shell' },
      { turn: 1, skill: 'tea', tool: 'zebra one' },
      { turn: 1, skill: 'tea', tool: 'shell' },
    ],
  }
  expect(redactRecord(record, redaction)).toEqual({
    ...record,
    unread: [turn('tea')],
    loadedSkills: ['tea'],
    loadedInTurn: ['tea'],
    failedUses: [{ turn: 1, skill: 'tea', tool: 'shell' }],
  })
})

it.each([
  ['as it is', 'zebra one', ''],
  ['with its line feed escaped', JSON.stringify('zebra\none'), ''],
  ['with its quotation mark escaped', JSON.stringify('zebra"one'), ''],
  ['not at all', 'tea', 'tea'],
])('takes what the tools did out of a record if one of them holds the text %s', (_, did, left) => {
  const matches = (text: string) => /zebra[ \n"]one/.test(text)
  const results = [
    { digest: 'a', did: 'tea' },
    { digest: 'b', did },
  ]
  const record = { ...newSessionRecord('one', 'BLOCK', 1), proof: { said: [], answered: [], results } }
  expect(redactRecord(record, { ...redaction, matches }).proof?.results).toEqual([
    { digest: 'a', did: left },
    { digest: 'b', did: left },
  ])
})

describe('redactRecord', () => {
  const record = { ...newSessionRecord('a', 'zebra one\n§\ntea', 1), userTurns: 3 }
  it('notes the change of a text that was sent, and no other', () => {
    expect(redactRecord(record, { ...redaction, at: 7 })).toMatchObject({ block: 'tea', changed: { times: 1, at: 7, turns: 3 } })
    expect(redactRecord({ ...record, userTurns: 0 }, { ...redaction, at: 7 })).toEqual({ ...record, userTurns: 0, block: 'tea' })
    expect(redactRecord({ ...record, block: 'tea' }, { ...redaction, at: 7 })).toEqual({ ...record, block: 'tea' })
  })
})

const DAY = 86_400_000
const NOW = 100 * DAY

const homeWith = async (ages: Readonly<Record<string, number>>) => {
  const storage = inMemoryBackend()
  for (const [id, days] of Object.entries(ages)) {
    await updateJsonDocument(storage, sessionPath(id), sessionRecordSchema, () => newSessionRecord(id, '', NOW - days * DAY))
  }
  const names = async () => {
    const listed = await storage.list('sessions')
    return listed.ok ? listed.value.map(({ path }) => path) : []
  }
  return { storage, names }
}

describe('pruneSessions', () => {
  it('removes what nobody has used for longer than the given days, and nothing else', async () => {
    const { storage, names } = await homeWith({ old: 31, edge: 30, young: 1 })
    expect(await pruneSessions(storage, 30, () => NOW)).toEqual({ ok: true, value: 1 })
    expect(await names()).toEqual(['sessions/.pruned.json', 'sessions/edge.json', 'sessions/young.json'])
  })

  it('removes copies of unreadable records that have lain aside for longer, whatever is in them', async () => {
    const { storage, names } = await homeWith({})
    for (const at of [NOW - 31 * DAY, NOW - 30 * DAY])
      await updateDocument(storage, unreadableCopy('sessions/a-b.json', at), () => new TextEncoder().encode('{'))
    expect(await pruneSessions(storage, 30, () => NOW)).toEqual({ ok: true, value: 1 })
    expect(await names()).toEqual(['sessions/.pruned.json', unreadableCopy('sessions/a-b.json', NOW - 30 * DAY)])
  })

  it.each([
    ['used', 'sessions/busy.json', { updatedAt: NOW }],
    ['used as long ago as may be', 'sessions/busy.json', { updatedAt: NOW - 30 * DAY }],
    ['removed by another process', undefined, undefined],
  ])('leaves a session alone that is %s between the look at its age and its removal', async (_, left, change) => {
    const { storage, names } = await homeWith({ old: 31, busy: 31 })
    let used = false
    const racing: StorageBackend = {
      ...storage,
      read: async (paths) => {
        const read = await storage.read(paths)
        if (paths.includes(sessionPath('busy')) && !used) {
          used = true
          await updateJsonDocument(
            storage,
            sessionPath('busy'),
            sessionRecordSchema,
            (record) => record && change && { ...record, ...change },
          )
        }
        return read
      },
    }
    expect(await pruneSessions(racing, 30, () => NOW)).toEqual({ ok: true, value: 1 })
    expect(await names()).toEqual(['sessions/.pruned.json', ...(left === undefined ? [] : [left])])
  })
})
