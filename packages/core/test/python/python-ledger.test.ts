/** What newer Python Hermes records of changes to skills: read beside the journal, undone from the files that it keeps, and its file is left as it is. */
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createHermes } from '../../src/create-hermes.ts'
import { createJournal } from '../../src/journal/journal.ts'
import { toTimeline } from '../../src/journal/timeline.ts'
import { longestHold } from '../support/longest-hold.ts'
import { type PythonEntry, pythonHome, sha256 } from '../support/python-home.ts'
import { refusal, skillText, unwrap } from '../support/skill-library.ts'

const BEFORE = skillText('deploy', 'Run make.')
const AFTER = skillText('deploy', 'Run make release.')
const AT = Date.UTC(2026, 10, 20, 10, 0, 0, 123)

const PATCH: PythonEntry = {
  id: '0a1b2c3d4e5f',
  action: 'patch',
  skill: 'deploy',
  before: { 'ops/deploy/SKILL.md': BEFORE },
  after: { 'ops/deploy/SKILL.md': AFTER },
}

const open = (home: ReturnType<typeof pythonHome>) => {
  const problems: string[] = []
  const storage = home.storage()
  const hermes = createHermes({ storage, actor: 'person' })
  const journal = createJournal({ storage, clock: Date.now, createId: () => 'x', onProblem: ({ message }) => problems.push(message) })
  return { hermes, journal, problems }
}

describe('the ledger of Python Hermes', () => {
  it('is read beside the journal, in order of time, as records of who changed which file of which skill', async () => {
    const home = pythonHome()
    home.append(
      {
        id: 'aa',
        action: 'create',
        skill: 'deploy',
        actor: 'user',
        ts: '2026-11-19T08:00:00+00:00',
        after: { 'ops/deploy/SKILL.md': BEFORE },
      },
      { ...PATCH, actor: 'curator' },
      {
        id: 'cc',
        action: 'delete',
        skill: 'old',
        ts: '2026-11-21T08:00:00Z',
        before: { 'old/SKILL.md': 'x' },
        evidence: { absorbed_into: 'deploy' },
      },
    )
    const { hermes, problems, journal } = open(home)
    unwrap(await hermes.memory.add('memory', 'Builds with pnpm'))
    const records = unwrap(await journal.list({ python: true }))
    expect(records).toMatchObject([
      { id: 'aa', actor: 'person', kind: 'applied', target: 'skill', reason: 'Python Hermes: create of the skill deploy (SKILL.md)' },
      {
        ...{ id: PATCH.id, at: AT, actor: 'curator' },
        python: {
          action: 'patch',
          skill: 'deploy',
          elsewhere: 0,
          files: [{ path: 'SKILL.md', category: 'ops', before: sha256(BEFORE), after: sha256(AFTER) }],
        },
      },
      { id: 'cc', actor: 'agent', reason: 'Python Hermes: delete of the skill old (SKILL.md), now in deploy' },
      { op: { content: 'Builds with pnpm' } },
    ])
    expect(unwrap(await journal.list())).toHaveLength(1)
    expect(unwrap(await journal.list({ python: true, text: 'deploy', limit: 1 }))).toMatchObject([{ id: PATCH.id }])
    expect(unwrap(await journal.list({ python: true, since: AT + 1 }))).toHaveLength(2)
    for (const filter of [{ kind: 'held' }, { sessionId: 's' }, { withCost: true }] as const)
      expect(unwrap(await journal.list({ python: true, ...filter }))).toEqual([])
    expect(toTimeline(records.slice(0, 3)).flatMap(({ items }) => items)).toMatchObject([
      { event: 'learned', text: 'deploy', python: true },
      { event: 'changed', text: 'deploy' },
      { event: 'removed', text: 'old' },
    ])
    expect(problems).toEqual([])
  })

  it('knows the files of a whole package that stayed the same, archived ones, and paths of Windows or outside the skill', async () => {
    const home = pythonHome()
    const same = { 'deploy/references/a.md': 'a' }
    home.append(
      { id: 'aa', action: 'write_file', skill: 'deploy', before: same, after: { ...same, 'deploy/references/b.md': 'b' } },
      { id: 'bb', action: 'archive', skill: 'deploy', before: same, after: { '.archive/deploy-20261120100000/references/a.md': 'a' } },
      { id: 'dd', action: 'pre-rollback', skill: 'deploy', before: same, after: same },
    )
    const elsewhere = { path: '/etc/passwd', sha256: 'a'.repeat(64) }
    const windows = { path: String.raw`C:\Users\ann\.hermes\skills\deploy\references\c.md`, sha256: 'b'.repeat(64) }
    const nested = { path: '/srv/skills/deploy/skills/ops/deploy/references/skills/d.md', sha256: 'd'.repeat(64) }
    const upward = { path: '/home/ann/skills/deploy/../../x', sha256: 'c'.repeat(64) }
    appendFileSync(
      home.ledger,
      `${JSON.stringify({ id: 'cc', ts: AT / 1_000, action: 'edit', skill: 'deploy', before: [elsewhere, upward], after: [windows, nested] })}\n`,
    )
    const records = unwrap(await open(home).journal.list({ python: true }))
    expect(records.map(({ python }) => [python?.elsewhere, python?.files])).toEqual([
      [0, [{ path: 'references/b.md', after: sha256('b') }]],
      [
        0,
        [
          { path: 'references/a.md', before: sha256('a') },
          { path: 'references/a.md', archived: 'deploy-20261120100000', after: sha256('a') },
        ],
      ],
      [0, []],
      [
        2,
        [
          { path: 'references/c.md', after: 'b'.repeat(64) },
          { path: 'references/skills/d.md', category: 'ops', after: 'd'.repeat(64) },
        ],
      ],
    ])
    expect(toTimeline(records).flatMap(({ items }) => items.map(({ event, filePath }) => [event, filePath]))).toEqual([
      ['changed', 'references/b.md'],
      ['archived', undefined],
      ['changed', undefined],
    ])
  })

  it('passes over a torn last line and lines of another shape, with a problem for each, and reads on once Python has written more', async () => {
    const home = pythonHome()
    writeFileSync(
      home.ledger,
      `\uFEFF${home.lineOf(PATCH)}not json\n[]\n{"id": "x"}\n{"id": "y", "ts": "never", "action": "edit", "skill": "s"}\n{"id": "z", "ts": 253402300800, "action": "edit", "skill": "s"}\n`,
    )
    const torn = home.lineOf({ ...PATCH, id: 'dd' })
    appendFileSync(home.ledger, torn.slice(0, 40))
    const { journal, problems } = open(home)
    expect(unwrap(await journal.list({ python: true })).map(({ id }) => id)).toEqual([PATCH.id])
    expect(problems).toHaveLength(6)
    expect(problems[0]).toContain("Line 7 of 'skills/.curator_ledger.jsonl'")
    home.append({ ...PATCH, id: 'ee' })
    expect(unwrap(await journal.list({ python: true })).map(({ id }) => id)).toEqual([PATCH.id, 'ee'])
  })

  it('is read up to its newest 32 MiB, and holds the process at no time', async () => {
    const home = pythonHome()
    const line = home.lineOf({ ...PATCH, evidence: { note: 'x'.repeat(4_000) } })
    const count = Math.ceil((33 * 1_048_576) / line.length)
    writeFileSync(home.ledger, line.repeat(count))
    const { journal, problems } = open(home)
    let found = 0
    const held = await longestHold(async () => {
      found = unwrap(await journal.list({ python: true, limit: 3 })).length
    })
    expect(found).toBe(3)
    expect(problems).toEqual([expect.stringContaining('larger than 32 MiB')])
    expect(held).toBeLessThan(100)
  })

  it.each([
    [
      'paths of many folders',
      `{"id": "a", "ts": 1, "action": "edit", "skill": "x", "before": [${`{"path": "${'skills/'.repeat(580)}", "sha256": "${'a'.repeat(64)}"},`.repeat(950).slice(0, -1)}]}`,
    ],
    ['deep lists', `{"id": "a", "ts": 1, "action": "edit", "skill": "x", "evidence": ${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}`],
    ['no ends of lines', '{"id": "a", "ts": 1, "action": "edit", "skill": "x"}'.repeat(80_000)],
  ])('is read without holding the process where a line has %s', async (_, line) => {
    const home = pythonHome()
    writeFileSync(home.ledger, `${line}\n${home.lineOf(PATCH)}`)
    let found: readonly { readonly id: string }[] = []
    const held = await longestHold(async () => {
      found = unwrap(await open(home).journal.list({ python: true }))
    })
    expect(found).toContainEqual(expect.objectContaining({ id: PATCH.id }))
    expect(held).toBeLessThan(100)
  })

  it('passes over a line whose id could not be typed, and finds a name that Python writes in ASCII', async () => {
    const home = pythonHome()
    const line = (id: string) => `{"id": ${JSON.stringify(id)}, "ts": 1, "action": "edit", "skill": "gr\\u00f6\\u00dfe"}\n`
    writeFileSync(home.ledger, ['aa', '', 'b b', '\u001b[2J', '\u202e', 'é'].map(line).join(''))
    expect(unwrap(await open(home).journal.list({ python: true })).map(({ id }) => id)).toEqual(['aa'])
    expect(unwrap(await open(home).journal.list({ python: true, text: 'GRÖSSE'.toLowerCase().replace('ss', 'ß') }))).toHaveLength(1)
  })

  it('is left as it is, byte for byte, by a session, a run of the curator and a rollback', async () => {
    const home = pythonHome()
    home.place({ 'ops/deploy/SKILL.md': AFTER })
    home.append(PATCH)
    appendFileSync(home.ledger, '{"id": "torn')
    const before = readFileSync(home.ledger)
    const { hermes } = open(home)
    unwrap(await hermes.memory.add('memory', 'Builds with pnpm'))
    unwrap(await hermes.skillStore().edit('deploy', BEFORE))
    unwrap(await hermes.curator.run())
    const { id } = unwrap(await hermes.curator.backup())
    unwrap(await hermes.curator.rollback(id))
    await hermes.close()
    expect(readFileSync(home.ledger).equals(before)).toBe(true)
    expect(existsSync(join(home.blobs, sha256(BEFORE)))).toBe(true)
  })
})

const textAt = (home: ReturnType<typeof pythonHome>, path: string): string | undefined =>
  existsSync(join(home.folder, 'skills', path)) ? readFileSync(join(home.folder, 'skills', path), 'utf8') : undefined

describe('undo of a change that Python Hermes recorded', () => {
  it('puts the files of then back, records it in the journal alone, and is undone itself', async () => {
    const home = pythonHome()
    home.place({ 'ops/deploy/SKILL.md': AFTER, 'ops/deploy/references/new.md': 'new' })
    const entry = {
      ...PATCH,
      before: { ...PATCH.before, 'ops/deploy/references/old.md': 'old' },
      after: { ...PATCH.after, 'ops/deploy/references/new.md': 'new' },
    }
    home.append(entry)
    const ledger = readFileSync(home.ledger)
    const { hermes, journal } = open(home)
    unwrap(await hermes.undo(PATCH.id.slice(0, 6)))
    expect(['SKILL.md', 'references/old.md', 'references/new.md'].map((file) => textAt(home, `ops/deploy/${file}`))).toEqual([
      BEFORE,
      'old',
      undefined,
    ])
    expect(readFileSync(home.ledger).equals(ledger)).toBe(true)
    const records = unwrap(await journal.list({ python: true }))
    expect(records.map(({ undoes }) => undoes)).toEqual([undefined, ...Array(3).fill([PATCH.id])])
    expect(toTimeline(records).flatMap(({ items }) => items)).toMatchObject([{ text: 'deploy', takenBackBy: expect.any(String) }])
    expect(refusal(await hermes.undo(PATCH.id))).toMatchObject({ code: 'rejected', message: expect.stringContaining('undone already') })
    unwrap(await hermes.undo())
    expect(textAt(home, 'ops/deploy/SKILL.md')).toBe(AFTER)
  })

  it('brings a deleted skill back whole, in its category', async () => {
    const home = pythonHome()
    home.append({
      ...{ id: 'dd', action: 'delete', skill: 'deploy' },
      before: { 'ops/deploy/SKILL.md': BEFORE, 'ops/deploy/references/notes.md': 'One region at a time.' },
    })
    unwrap(await open(home).hermes.undo('dd'))
    expect(textAt(home, 'ops/deploy/SKILL.md')).toBe(BEFORE)
    expect(textAt(home, 'ops/deploy/references/notes.md')).toBe('One region at a time.')
  })

  it('brings a deleted skill back whose name Python wrote with its category', async () => {
    const home = pythonHome()
    const files = { 'ops/deploy/SKILL.md': BEFORE, 'ops/deploy/references/notes.md': 'Notes.' }
    home.append({ id: 'dd', action: 'delete', skill: 'ops/deploy', before: files })
    unwrap(await open(home).hermes.undo('dd'))
    expect([textAt(home, 'ops/deploy/SKILL.md'), textAt(home, 'ops/deploy/references/notes.md')]).toEqual([BEFORE, 'Notes.'])
  })

  it('says why a deleted skill of nested categories is not brought back', async () => {
    const home = pythonHome()
    const files = { 'ml/training/deploy/SKILL.md': BEFORE, 'ml/training/deploy/references/notes.md': 'Notes.' }
    home.append({ id: 'dd', action: 'delete', skill: 'deploy', before: files })
    expect(refusal(await open(home).hermes.undo('dd')).message).toContain('ml/training')
    expect(readdirSync(join(home.folder, 'skills'))).toEqual(['.curator_ledger.jsonl'])
  })

  it('is never meant by the id of a record of the journal', async () => {
    const home = pythonHome()
    home.place({ 'ops/deploy/SKILL.md': AFTER })
    const { hermes, journal } = open(home)
    unwrap(await hermes.memory.add('memory', 'Builds with pnpm'))
    const [{ id } = { id: '' }] = unwrap(await journal.list())
    home.append({ ...PATCH, id })
    expect(unwrap(await journal.list({ id, python: true }))).toMatchObject([{ target: 'memory' }])
    unwrap(await hermes.undo(id))
    expect(textAt(home, 'ops/deploy/SKILL.md')).toBe(AFTER)
    expect(unwrap(await hermes.memory.list('memory'))).toEqual([])
  })

  it('needs no file of then to bring a skill back from the archive', async () => {
    const home = pythonHome()
    home.place({ '.archive/old/SKILL.md': skillText('old') })
    home.append({
      ...{ id: 'bb', action: 'archive', skill: 'old' },
      ...{ before: { 'old/SKILL.md': skillText('old') }, after: { '.archive/old/SKILL.md': skillText('old') } },
    })
    rmSync(home.blobs, { recursive: true })
    unwrap(await open(home).hermes.undo('bb'))
    expect(textAt(home, 'old/SKILL.md')).toBe(skillText('old'))
  })

  it('archives no restored skill that was changed since', async () => {
    const home = pythonHome()
    home.place({ 'old/SKILL.md': skillText('old', 'By hand.') })
    home.append({
      ...{ id: 'rr', action: 'restore', skill: 'old' },
      ...{ before: { '.archive/old/SKILL.md': skillText('old') }, after: { 'old/SKILL.md': skillText('old') } },
    })
    expect(refusal(await open(home).hermes.undo('rr'))).toMatchObject({ code: 'drift' })
    expect(textAt(home, 'old/SKILL.md')).toBe(skillText('old', 'By hand.'))
  })

  it('takes a change back whose line has its keys in another order, once, whatever the clock of Python was', async () => {
    const home = pythonHome()
    home.place({ 'ops/deploy/SKILL.md': AFTER })
    const { id, ...rest }: { readonly id: string } = JSON.parse(home.lineOf({ ...PATCH, ts: '2999-01-01T00:00:00Z' }))
    writeFileSync(home.ledger, `${JSON.stringify({ ...rest, id })}\n`)
    const { hermes } = open(home)
    unwrap(await hermes.undo(PATCH.id))
    expect(textAt(home, 'ops/deploy/SKILL.md')).toBe(BEFORE)
    expect(refusal(await hermes.undo(PATCH.id)).message).toContain('undone already')
  })

  it('archives a skill that was created, and brings one back that was archived', async () => {
    const home = pythonHome()
    const stamped = '.archive/old-20261120100000/SKILL.md'
    home.place({ 'deploy/SKILL.md': BEFORE, '.archive/old/SKILL.md': skillText('old', 'An older one.'), [stamped]: skillText('old') })
    home.append(
      { id: 'aa', action: 'create', skill: 'deploy', after: { 'deploy/SKILL.md': BEFORE } },
      {
        ...{ id: 'bb', action: 'archive', skill: 'old' },
        ...{ before: { 'old/SKILL.md': skillText('old') }, after: { [stamped]: skillText('old') } },
      },
    )
    const { hermes } = open(home)
    unwrap(await hermes.undo('bb'))
    expect(textAt(home, 'old/SKILL.md')).toBe(skillText('old'))
    unwrap(await hermes.undo('aa'))
    expect(textAt(home, 'deploy/SKILL.md')).toBeUndefined()
    expect(textAt(home, '.archive/deploy/SKILL.md')).toBe(BEFORE)
  })

  it.each<[string, (home: ReturnType<typeof pythonHome>) => void, string, string]>([
    [
      'the file was changed since',
      (home) => home.place({ 'ops/deploy/SKILL.md': skillText('deploy', 'By hand.') }),
      'drift',
      'changed since',
    ],
    ['a blob is missing', (home) => rmSync(join(home.blobs, sha256(BEFORE))), 'rejected', 'does not keep'],
    ['a blob is a huge file', (home) => truncateSync(join(home.blobs, sha256(BEFORE)), 5_000_000_000), 'rejected', 'does not keep'],
    ['a blob holds something else', (home) => writeFileSync(join(home.blobs, sha256(BEFORE)), 'rm -rf /'), 'rejected', 'does not keep'],
  ])('is refused, and nothing is written, if %s', async (_, harm, code, message) => {
    const home = pythonHome()
    home.place({ 'ops/deploy/SKILL.md': AFTER })
    home.append(PATCH)
    harm(home)
    const before = textAt(home, 'ops/deploy/SKILL.md')
    expect(refusal(await open(home).hermes.undo(PATCH.id))).toMatchObject({ code, message: expect.stringContaining(message) })
    expect(textAt(home, 'ops/deploy/SKILL.md')).toBe(before)
  })

  it('is refused once the text of then has been forgotten, and what the change was stays listed', async () => {
    const home = pythonHome()
    home.place({ 'ops/deploy/SKILL.md': AFTER })
    home.append({ ...PATCH, before: { 'ops/deploy/SKILL.md': skillText('deploy', 'Ask Ann at Calle Mayor 5.') } })
    const ledger = readFileSync(home.ledger)
    const { hermes, journal } = open(home)
    unwrap(await hermes.forget('Calle Mayor 5'))
    expect(readdirSync(home.blobs)).toEqual([sha256(AFTER)])
    expect(readFileSync(home.ledger).equals(ledger)).toBe(true)
    expect(unwrap(await journal.list({ python: true, id: PATCH.id }))).toHaveLength(1)
    expect(refusal(await hermes.undo(PATCH.id))).toMatchObject({
      code: 'rejected',
      message: expect.stringContaining('have been forgotten'),
    })
  })

  it('a line that Python appends while others are erased stays', async () => {
    const home = pythonHome()
    home.append({ ...PATCH, evidence: { note: 'Calle Mayor 5' } }, { ...PATCH, id: 'bb' })
    const storage = home.storage()
    const late = home.lineOf({ ...PATCH, id: 'cc' })
    let appended = 0
    const hermes = createHermes({
      storage: {
        ...{ read: storage.read.bind(storage), list: storage.list.bind(storage), close: storage.close.bind(storage) },
        update: (paths, plan, options) => {
          if (paths.includes('skills/.curator_ledger.jsonl') && appended++ === 0) appendFileSync(home.ledger, late)
          return storage.update(paths, plan, options)
        },
      },
    })
    expect(unwrap(await hermes.forget('Calle Mayor 5')).remaining).toEqual([])
    expect(appended).toBeGreaterThan(0)
    expect(readFileSync(home.ledger, 'utf8')).toBe(`${home.lineOf({ ...PATCH, id: 'bb' })}${late}`)
  })

  it.each([
    ['outside the skill', 'outside the folder', { path: '/etc/cron.d/x', sha256: sha256('x') }],
    ['upward', 'outside the folder', { path: '/h/skills/deploy/../../../x', sha256: sha256('x') }],
  ])('is refused for a path %s', async (_, message, file) => {
    const home = pythonHome()
    writeFileSync(join(home.blobs, sha256('x')), 'x')
    appendFileSync(
      home.ledger,
      `${JSON.stringify({ id: 'aa', ts: AT / 1_000, action: 'delete', skill: 'deploy', before: [file], after: [] })}\n`,
    )
    expect(refusal(await open(home).hermes.undo('aa'))).toMatchObject({ code: 'rejected', message: expect.stringContaining(message) })
  })
})
