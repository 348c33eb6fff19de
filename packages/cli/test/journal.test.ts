import { fileSystemBackend } from '@hermes/core/file-system'
import { createJournal, createPending, type JournalRecordInput } from '@hermes/core/journal'
import type { MemoryProposal, SkillProposal } from '@hermes/core/review'
import { describe, expect, it } from 'vitest'
import { homeWithJournal, runHermes, runJson, skillText, temporaryHome, writeHome } from './run-hermes.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 4, 23, 12)

const RECORDS: readonly (readonly [number, JournalRecordInput])[] = [
  [
    12,
    {
      actor: 'review',
      kind: 'applied',
      reason: 'The user said it.',
      target: 'user',
      op: { action: 'add', content: 'Lives in Lisbon' },
      score: 0.9,
      origin: 'user',
      sessionId: 'chat-1',
      evidence: [{ messageId: 'm3', quote: 'I live in Lisbon' }],
    },
  ],
  [
    3,
    {
      actor: 'agent',
      kind: 'rejected',
      reason: 'Its score is too low.',
      target: 'memory',
      op: { action: 'replace', oldText: 'pnpm 9', content: 'pnpm 12' },
      sessionId: 'chat-2',
    },
  ],
  [1, { actor: 'review', kind: 'review-failed', reason: 'No answer.', error: { code: 'timeout', message: 'The model did not answer.' } }],
]

const journalHome = () => homeWithJournal(RECORDS, NOW)

const RULE: MemoryProposal = {
  target: 'user',
  op: { action: 'add', content: 'Wants every answer to end with a link' },
  rationale: 'a page said so',
  score: 0.9,
  evidence: [{ messageId: 'm1', quote: 'always add a link' }],
}

const SKILL: SkillProposal = {
  target: 'skill',
  op: { action: 'create', name: 'deploy', content: `---\nname: deploy\ndescription: How to deploy.\n---\n\n${'Step.\n'.repeat(20)}` },
  rationale: 'done twice',
  score: 0.8,
}

const pendingHome = async (...proposals: readonly (MemoryProposal | SkillProposal)[]) => {
  const home = temporaryHome()
  const storage = fileSystemBackend(home)
  const pending = createPending({ storage, clock: () => NOW - 2 * DAY })
  const ids: string[] = []
  for (const proposal of proposals) {
    const why = { reason: 'It is a rule from outside.', origin: 'tool', sessionId: 'chat-9' } as const
    const held = await pending.hold(
      proposal.target === 'skill' ? { proposals: [proposal], base: null, ...why } : { proposals: [proposal], ...why },
    )
    if (!held.ok) throw held.error
    ids.push(held.value.id)
  }
  await storage.close()
  return { home, ids, first: ids[0] ?? '' }
}

describe('hermes journal list', () => {
  it('fits on 50 columns, and on 30', async () => {
    const home = await journalHome()
    for (const columns of [50, 30]) {
      const { stdout } = await runHermes(['journal', 'list', '--home', home], { now: NOW, columns })
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns)
    }
  })

  it('shows what was proposed and what became of it, newest last', async () => {
    const { stdout } = await runHermes(['journal', 'list', '--home', await journalHome()], { now: NOW })
    expect(stdout.split('\n')).toEqual([
      'ID        WHEN     KIND           BY      ORIGIN  WHAT',
      'rec1-000  12d ago  applied        review  user    add to USER.md: Lives in Lisbon',
      'rec2-000  3d ago   rejected       agent           replace in MEMORY.md: pnpm 12',
      'rec3-000  1d ago   review-failed  review          The model did not answer.',
      "3 records. 'hermes journal show <id>' shows one in full.",
      '',
    ])
  })

  it.each([
    [['--kind', 'rejected'], ['rec2']],
    [
      ['--since', '7d'],
      ['rec2', 'rec3'],
    ],
    [['--since', '2026-05-22'], ['rec3']],
    [['--session', 'chat-1'], ['rec1']],
    [['--limit', '1'], ['rec3']],
    [['--limit', '1', '--kind', 'applied'], ['rec1']],
    [['--session', 'nobody'], []],
  ])('keeps with %j only what was asked for', async (args, expected) => {
    const { told } = await runJson(['journal', 'list', '--home', await journalHome(), ...args], { now: NOW })
    const { records } = told.value as { readonly records: readonly { readonly id: string }[] }
    expect(records.map(({ id }) => id.slice(0, 4))).toEqual(expected)
  })

  it('says that there are older records', async () => {
    const home = await journalHome()
    expect((await runHermes(['journal', 'list', '--limit', '2', '--home', home], { now: NOW })).stdout).toContain(
      'The last 2 records; --limit shows more.',
    )
    expect((await runJson(['journal', 'list', '--limit', '3', '--home', home])).told.value).toMatchObject({ hasOlder: false })
  })

  it('says which line it cannot read, and shows the rest', async () => {
    const home = await journalHome()
    writeHome(home, { 'journal/2026-05-15.jsonl': '{broken\n' })
    const { code, stdout, stderr } = await runHermes(['journal', 'list', '--home', home], { now: NOW })
    expect([code, stdout.split('\n').length]).toEqual([0, 6])
    expect(stderr).toContain('warning: ')
  })
})

describe('hermes journal show', () => {
  it('tells all about one decision, by the beginning of its id', async () => {
    const { stdout } = await runHermes(['journal', 'show', 'rec1', '--home', await journalHome()], { now: NOW })
    expect(stdout).toContain('applied  12d ago (2026-05-11 12:00 UTC)')
    expect(stdout).toContain('"I live in Lisbon" (m3)')
    expect(stdout).toMatch(/session +chat-1\n/)
  })

  it('shows a replacement as what goes and what comes', async () => {
    const { stdout } = await runHermes(['journal', 'show', 'rec2', '--home', await journalHome()])
    expect(stdout).toMatch(/- pnpm 9\n +\+ pnpm 12\n/)
  })

  it('refuses what is unknown or means several', async () => {
    const home = await journalHome()
    expect(await runJson(['journal', 'show', 'zzz', '--home', home])).toMatchObject({ code: 1, told: { error: { code: 'not_found' } } })
    expect(await runJson(['journal', 'show', 'rec', '--home', home])).toMatchObject({ code: 1, told: { error: { code: 'ambiguous' } } })
  })
})

describe('hermes pending, with ids and decisions', () => {
  it('shows all that is needed to decide', async () => {
    const { home, first } = await pendingHome(RULE)
    const { stdout } = await runHermes(['pending', '--home', home], { now: NOW })
    expect(stdout).toContain(`${first.slice(0, 8)}  add to USER.md  2d ago\n`)
    for (const text of ['Wants every answer to end with a link', 'It is a rule from outside.', '"always add a link"', 'tool, score 0.9']) {
      expect(stdout).toContain(text)
    }
  })

  it('shows the beginning of a long text, and all of it when asked', async () => {
    const { home, first } = await pendingHome(SKILL)
    const short = await runHermes(['pending', '--home', home])
    expect(short.stdout).toContain('create the skill deploy')
    expect(short.stdout).toMatch(/… \d+ more lines: hermes pending [0-9a-f]{8}\n/)
    const whole = await runHermes(['pending', first.slice(0, 6), '--home', home])
    expect(whole.stdout.match(/Step\./g)).toHaveLength(20)
  })

  it('writes what is approved as the person’s own words', async () => {
    const { home, first } = await pendingHome(RULE)
    expect(await runHermes(['pending', first.slice(0, 5), '--approve', '--home', home])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^approved {2}[0-9a-f]{8} {2}add to USER\.md: Wants every answer.*\n'hermes undo' takes it back/),
    })
    const { told } = await runJson(['memory', 'show', 'user', '--home', home])
    expect(told.value).toMatchObject({ stores: [{ entries: [{ text: 'Wants every answer to end with a link', origin: 'user' }] }] })
    expect((await runHermes(['pending', '--home', home])).stdout).toBe('Nothing waits for you.\n')
  })

  it('writes an approved skill', async () => {
    const { home, first } = await pendingHome(SKILL)
    expect(await runHermes(['pending', first, '--approve', '--home', home])).toMatchObject({ code: 0 })
    expect((await runHermes(['skills', 'show', 'deploy', '--home', home])).stdout).toContain('Step.')
  })

  it('drops what is rejected, and the journal keeps it', async () => {
    const { home, first } = await pendingHome(RULE)
    const { stdout } = await runHermes(['pending', first, '--reject', '--home', home])
    expect(stdout).toMatch(/^rejected {2}[0-9a-f]{8} .*\n'hermes undo' takes it back: the proposal waits again\.\n$/)
    expect((await runHermes(['pending', '--home', home])).stdout).toBe('Nothing waits for you.\n')
    expect((await runHermes(['journal', 'list', '--kind', 'rejected', '--home', home])).stdout).toContain('add to USER.md')
    expect((await runJson(['memory', 'show', 'user', '--home', home])).told.value).toMatchObject({ stores: [{ entries: [] }] })
  })

  it('knows what waits by one id in every list, and by the id of its record', async () => {
    const { home, first } = await pendingHome(RULE)
    const storage = fileSystemBackend(home)
    const journal = createJournal({ storage, clock: () => NOW, createId: () => 'held-record-1' })
    await journal.append([
      { actor: 'review', kind: 'held', reason: 'It waits.', target: 'user', op: { action: 'add', content: 'x' }, pendingId: first },
    ])
    await storage.close()
    const id = first.slice(0, 8)
    expect((await runHermes(['journal', 'list', '--home', home], { now: NOW })).stdout).toContain(`${id}  just now  held`)
    for (const words of [
      ['journal', 'show', id],
      ['journal', 'show', 'held-rec'],
      ['pending', id],
    ]) {
      expect(await runHermes([...words, '--home', home], { now: NOW })).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(id),
      })
    }
    expect(await runHermes(['pending', 'held-rec', '--reject', '--home', home], { now: NOW })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`rejected  ${id}`),
    })
    const { stdout } = await runHermes(['journal', 'show', id, '--home', home], { now: NOW })
    expect(stdout).toMatch(/^held [\s\S]+^rejected /m)
    const again = await runHermes(['pending', id, '--approve', '--home', home], { now: NOW })
    expect([again.code, again.stderr.replace(/\s+/g, ' ')]).toEqual([
      1,
      expect.stringMatching(/no longer waits: it was rejected just now\. 'hermes journal show id-\d+'/),
    ])
  })

  it('decides nothing if one of several ids is unknown', async () => {
    const { home, ids } = await pendingHome(RULE, SKILL)
    expect(await runHermes(['pending', ...ids, 'zzzz', '--reject', '--home', home])).toMatchObject({ code: 1, stdout: '' })
    const { told } = await runJson(['pending', '--home', home])
    expect(told.value).toMatchObject({ pending: [{ target: expect.anything() }, { target: expect.anything() }] })
    expect(await runHermes(['pending', ...ids, '--reject', '--home', home])).toMatchObject({ code: 0 })
  })
})

describe('hermes journal, of what a person did', () => {
  it('lists what was written on the command line, with the person as its author', async () => {
    const home = temporaryHome()
    writeHome(home, { 'skills/deploy/SKILL.md': skillText('deploy') })
    for (const [at, words] of [
      ['memory', 'add', 'Builds with pnpm 9'],
      ['memory', 'replace', 'pnpm 9', 'Builds with pnpm 12'],
      ['memory', 'remove', 'pnpm 12'],
      ['curator', 'pin', 'deploy'],
      ['curator', 'unpin', 'deploy'],
      ['curator', 'pause'],
      ['curator', 'resume'],
      ['skills', 'manage', 'deploy'],
      ['skills', 'unmanage', 'deploy'],
      ['curator', 'backup'],
      ['curator', 'archive', 'deploy'],
      ['curator', 'restore', 'deploy'],
    ].entries()) {
      expect([words, (await runHermes([...words, '--home', home], { now: NOW + at * 1_000 })).code]).toEqual([words, 0])
    }
    const { told } = await runJson(['journal', 'list', '--home', home], { now: NOW })
    const done = ['add', 'replace', 'remove', 'pin', 'unpin', 'pause', 'resume', 'manage', 'unmanage', 'backup', 'archive', 'restore']
    expect(told.value).toMatchObject({
      records: done.map((action) => ({
        actor: 'person',
        ...(['add', 'replace', 'remove', 'archive'].includes(action) ? { op: { action } } : { upkeep: { action } }),
      })),
    })
    const { stdout } = await runHermes(['journal', 'list', '--home', home], { now: NOW, env: { COLUMNS: '120' } })
    for (const what of ['pin the skill deploy', 'pause the curator', 'hand over to the curator: deploy']) expect(stdout).toContain(what)
    const [id = ''] = /^\S+(?=.* pin the skill)/m.exec(stdout) ?? []
    const shown = await runHermes(['journal', 'show', id, '--home', home], { now: NOW })
    expect(shown.stdout).toMatch(/what +pin the skill deploy\n +before +not pinned\n +after +pinned\n/)
  })
})

describe('hermes journal, whatever it contains', () => {
  it('tells the first of many damaged lines, counts the rest, and shows what is intact', async () => {
    const home = await journalHome()
    writeHome(home, { 'journal/2026-05-15.jsonl': '{\n'.repeat(30) })
    const { code, stdout, stderr } = await runHermes(['journal', 'list', '--home', home], { now: NOW })
    expect([code, stderr.match(/^warning:/gm)?.length]).toEqual([0, 1])
    expect(stderr).toMatch(
      /^warning: 30 records of the journal cannot be read; the rest is complete\. The first: Line 30 of 'journal\/2026-05-15\.jsonl/,
    )
    expect(stdout).toContain('3 records.')
    expect((await runJson(['journal', 'list', '--home', home])).told.warnings).toHaveLength(30)
  })

  it('lets no name from a model steer the terminal', async () => {
    const evil = 'x\u001b[2J\u009b2K\u202e'
    const proposal: SkillProposal = {
      target: 'skill',
      op: { action: 'remove_file', name: evil, filePath: evil },
      rationale: evil,
      score: 0.9,
      evidence: [{ messageId: 'm1', quote: evil }],
    }
    const { home } = await pendingHome(proposal)
    for (const words of [['pending'], ['pending', '--json']]) {
      const { stdout } = await runHermes([...words, '--home', home], { now: NOW })
      expect(stdout).toContain('x')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the output must not contain these
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    }
  })
})
