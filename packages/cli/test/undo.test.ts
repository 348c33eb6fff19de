import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHermes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { createPending } from '@hermes/core/journal'
import { updateDocument } from '@hermes/core/storage'
import { scriptedHostModel } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import { IS_LONG_RUN } from '../../../scripts/support/rounds.ts'
import { writeOldSkills } from './old-skills.ts'
import { runAtTerminal } from './run-at-terminal.ts'
import { runHermes, runJson, skillText, spawnHermes, temporaryHome, writeHome } from './run-hermes.ts'

const NOW = Date.UTC(2026, 4, 23, 12)
const DAY = 86_400_000

const memory = (home: string): string => readFileSync(join(home, 'memories/MEMORY.md'), 'utf8')

let moment = NOW

/** Two writes of one moment count as one. */
const tick = (): number => ++moment

const hermes = async (home: string, ...args: readonly string[]) => {
  const done = await runHermes([...args, '--home', home], { now: tick() })
  expect([done.code, done.stderr.replace(/warning: .*\n/g, '')]).toEqual([0, expect.any(String)])
  return done
}

const undo = (home: string, ...args: readonly string[]) => runHermes(['undo', '--yes', '--home', home, ...args], { now: tick() })

/** Oldest first. */
const recordIds = async (home: string): Promise<readonly string[]> => {
  const { told } = await runJson(['journal', 'list', '--home', home], { now: NOW })
  return (told.value as { readonly records: readonly { readonly id: string }[] }).records.map(({ id }) => id)
}

describe('hermes undo, of memory', () => {
  it.each([
    ['an add', ['add', 'second'], 'first\n§\nsecond'],
    ['a replace', ['replace', 'first', 'changed'], 'changed'],
    ['a removal', ['remove', 'first'], ''],
  ])('takes %s back, and a second time that too', async (_what, args, written) => {
    const home = temporaryHome()
    await hermes(home, 'memory', 'add', 'first')
    await hermes(home, 'memory', ...args)
    expect(memory(home)).toBe(written)
    const done = await undo(home)
    expect([done.code, memory(home)]).toEqual([0, 'first'])
    expect(done.stderr).toContain('To undo it:\n')
    expect(await undo(home)).toMatchObject({ code: 0 })
    expect(memory(home)).toBe(written)
  })

  it('gives a replaced entry its former origin and age', async () => {
    const home = temporaryHome()
    const storage = fileSystemBackend(home)
    const store = createHermes({ storage, clock: () => NOW - DAY }).memoryStore()
    await store.apply('memory', { action: 'add', content: 'from a page' }, { origin: 'tool' })
    await storage.close()
    await hermes(home, 'memory', 'replace', 'from a page', 'my own words')
    await undo(home)
    const { told } = await runJson(['memory', 'show', 'memory', '--home', home])
    expect(told.value).toMatchObject({ stores: [{ entries: [{ text: 'from a page', origin: 'tool', firstSeenAt: NOW - DAY }] }] })
  })

  it.each(['tool', 'external'] as const)('gives an entry that was rewritten or raised its former origin: %s', async (origin) => {
    const home = temporaryHome()
    const storage = fileSystemBackend(home)
    const store = createHermes({ storage, clock: () => NOW - DAY }).memoryStore()
    await store.apply('memory', { action: 'add', content: 'one' }, { origin })
    await store.apply('memory', { action: 'add', content: 'two' }, { origin })
    await storage.close()
    await hermes(home, 'memory', 'add', 'one')
    await undo(home)
    await hermes(home, 'memory', 'replace', 'two', 'three')
    await undo(home)
    const { told } = await runJson(['memory', 'show', 'memory', '--home', home])
    const entries = ['one', 'two'].map((text) => ({ text, origin }))
    expect(told.value).toMatchObject({ stores: [{ entries }] })
  })

  it('brings back what made room', async () => {
    const home = temporaryHome()
    writeHome(home, { 'config.yaml': 'memory: { memory_char_limit: 30 }\n' })
    await hermes(home, 'memory', 'add', 'an entry of 24 characters')
    await hermes(home, 'memory', 'add', 'another of the same length')
    expect(memory(home)).toBe('another of the same length')
    expect((await undo(home)).stdout).toContain('bring back to MEMORY.md: an entry of 24 characters')
    expect(memory(home)).toBe('an entry of 24 characters')
  })

  it('refuses if the entry changed since, and says why', async () => {
    const home = temporaryHome()
    await hermes(home, 'memory', 'add', 'builds with pnpm')
    writeFileSync(join(home, 'memories/MEMORY.md'), 'builds with pnpm 12')
    const { code, told } = await runJson(['undo', '--yes', '--home', home], { now: NOW })
    expect([code, told.error]).toEqual([
      1,
      { code: 'drift', message: expect.stringContaining("'builds with pnpm' has been changed since") },
    ])
    expect(memory(home)).toBe('builds with pnpm 12')
  })

  it('undoes an older record by its id, but not one that only confirmed an entry', async () => {
    const home = temporaryHome()
    for (const text of ['one', 'two', 'one']) {
      await runHermes(['memory', 'add', text, '--home', home], { now: tick() })
    }
    const ids = await recordIds(home)
    expect(await undo(home, ids.at(-1) ?? '')).toMatchObject({ code: 1, stderr: expect.stringContaining('only confirmed') })
    expect(await undo(home, ids[0] ?? '')).toMatchObject({ code: 0 })
    expect(memory(home)).toBe('two')
  })

  it('takes back what was just written by the clock of the machine, and nothing that was there before', async () => {
    const home = temporaryHome()
    const run = (...args: readonly string[]) => runHermes([...args, '--home', home])
    await run('memory', 'add', 'one')
    await run('memory', 'add', 'two')
    await run('memory', 'add', 'one')
    expect(await run('undo', '--yes')).toMatchObject({ code: 1, stderr: expect.stringContaining('only confirmed') })
    const [, second = ''] = await recordIds(home)
    expect(await run('undo', second, '--yes')).toMatchObject({ code: 0 })
    expect(memory(home)).toBe('one')
    await run('undo', '--yes')
    expect(memory(home)).toBe('one\n§\ntwo')
  })

  it('pins and unpins', async () => {
    const home = temporaryHome()
    await hermes(home, 'memory', 'add', 'one')
    await hermes(home, 'memory', 'pin', 'one')
    await undo(home)
    const { told } = await runJson(['memory', 'show', 'memory', '--home', home])
    expect(JSON.stringify(told.value)).not.toContain('pinned')
  })

  it('names the way back only if there is something to take back', async () => {
    const home = temporaryHome()
    await hermes(home, 'curator', 'pause')
    await hermes(home, 'curator', 'resume')
    const [paused = ''] = await recordIds(home)
    expect((await undo(home, paused)).stdout).not.toContain('takes this back again')
    expect(await recordIds(home)).toHaveLength(2)
    expect((await undo(home)).stdout).toContain("'hermes undo' takes this back again.")
    expect((await undo(home)).stdout).toContain("'hermes undo' takes this back again.")
    const [, resumed = ''] = await recordIds(home)
    await hermes(home, 'curator', 'pause')
    // It was taken back before, and that was taken back too.
    expect((await undo(home, resumed)).stdout).not.toContain('takes this back again')
  })

  it('needs a confirmation, and changes nothing without one', async () => {
    const home = temporaryHome()
    expect(await runHermes(['undo', '--home', home])).toMatchObject({ code: 1, stderr: expect.stringContaining('no write') })
    await hermes(home, 'memory', 'add', 'one')
    expect(await runHermes(['undo', '--home', home])).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') })
    expect(memory(home)).toBe('one')
  })

  it('cannot undo what was forgotten', async () => {
    const home = temporaryHome()
    await hermes(home, 'memory', 'add', 'Lives at Calle Mayor 5')
    await hermes(home, 'forget', 'Calle Mayor', '--yes')
    expect(await undo(home)).toMatchObject({ code: 1, stderr: expect.stringContaining('erased for good') })
  })

  if (IS_LONG_RUN)
    it('loses nothing if another process changes the entry at the same moment', async () => {
      const home = temporaryHome()
      await hermes(home, 'memory', 'add', 'builds with pnpm')
      const [id = ''] = await recordIds(home)
      const [undone, replaced] = await Promise.all([
        spawnHermes(['undo', id, '--yes', '--home', home]),
        spawnHermes(['memory', 'replace', 'builds with pnpm', 'builds with pnpm 12', '--home', home]),
      ])
      // Whoever came second was refused: the entry is either gone or the new one.
      expect([undone.code, replaced.code].sort()).toEqual([0, 1])
      expect(memory(home)).toBe(undone.code === 0 ? '' : 'builds with pnpm 12')
    })
})

describe('hermes undo, of an agent', () => {
  const ANSWER = JSON.stringify({
    proposals: [
      {
        target: 'user',
        op: { action: 'replace', content: 'User lives in Lisbon', oldText: 'User lives in Oslo' },
        rationale: 'The person said so.',
        score: 0.9,
        evidence: [{ messageId: null, quote: 'I live in Lisbon now, no longer in Oslo' }],
      },
    ],
  })

  it('takes back what a review wrote, and what the agent wrote with its tool', async () => {
    const home = temporaryHome()
    await runHermes(['memory', 'add', '-t', 'user', 'User lives in Oslo', '--home', home])
    const storage = fileSystemBackend(home)
    const agent = createHermes({ storage, review: { model: scriptedHostModel(ANSWER) } })
    const session = agent.session('chat')
    session.recordTurn({
      messages: [
        { role: 'user', text: 'I live in Lisbon now, no longer in Oslo' },
        { role: 'assistant', text: 'Fine.' },
      ],
    })
    await agent.settled()
    expect(await agent.review({ minTurns: 1 })).toMatchObject({ value: { kind: 'reviewed', outcome: { applied: [{}] } } })
    const user = (): string => readFileSync(join(home, 'memories/USER.md'), 'utf8')
    expect(user()).toBe('User lives in Lisbon')
    const undone = await runHermes(['undo', '--yes', '--home', home])
    expect([undone.code, user()]).toEqual([0, 'User lives in Oslo'])
    expect(undone.stderr).toMatch(/Write \S+, by review, /)
    const [memoryTool] = session.offerTools()
    const messages = [{ role: 'user', text: 'Note: the repo builds with pnpm' }] as const
    await memoryTool?.execute({ action: 'add', target: 'memory', content: 'The repo builds with pnpm' }, { messages })
    expect(memory(home)).toBe('The repo builds with pnpm')
    const taken = await runHermes(['undo', '--yes', '--home', home])
    expect([taken.code, memory(home)]).toEqual([0, ''])
    expect(taken.stderr).toMatch(/Write \S+, by agent, /)
    await storage.close()
  })
})

describe('hermes undo, of decisions', () => {
  const held = async (home: string): Promise<string> => {
    const storage = fileSystemBackend(home)
    const pending = createPending({ storage, clock: () => NOW - DAY })
    const proposal = {
      target: 'user',
      op: { action: 'add', content: 'Likes links' },
      rationale: 'a page',
      score: 0.9,
      evidence: [],
    } as const
    const waiting = await pending.hold({ proposals: [proposal], reason: 'It is a rule from outside.', origin: 'tool' })
    await storage.close()
    return waiting.ok ? waiting.value.id : ''
  }

  it.each(['approve', 'reject'])('of %s: the proposal waits again', async (decision) => {
    const home = temporaryHome()
    const id = await held(home)
    await hermes(home, 'pending', id, `--${decision}`)
    expect(await undo(home)).toMatchObject({ code: 0 })
    const { told } = await runJson(['pending', '--home', home])
    expect(told.value).toMatchObject({ pending: [{ id, ops: [{ action: 'add', content: 'Likes links' }] }] })
    const entries = await runJson(['memory', 'show', 'user', '--home', home])
    expect(entries.told.value).toMatchObject({ stores: [{ entries: [] }] })
    await hermes(home, 'pending', id, '--approve')
    expect(readFileSync(join(home, 'memories/USER.md'), 'utf8')).toBe('Likes links')
  })

  it('of an undo of an approval: the proposal is approved again, and that can be undone', async () => {
    const home = temporaryHome()
    const id = await held(home)
    await hermes(home, 'pending', id, '--approve')
    const state = async () => {
      const { told } = await runJson(['pending', '--home', home])
      const { pending } = told.value as { readonly pending: readonly unknown[] }
      return [readFileSync(join(home, 'memories/USER.md'), 'utf8'), pending.length]
    }
    const undone = ['', 1]
    const approved = ['Likes links', 0]
    for (const expected of [undone, approved, undone, approved]) {
      const done = await undo(home)
      expect(done).toMatchObject({ code: 0 })
      expect(await state()).toEqual(expected)
      if (expected === approved) expect(done.stderr).toContain('approve the proposal again: add to USER.md: Likes links')
    }
  })

  it('of an undo of an approval is refused by its id if the proposal was decided since', async () => {
    const home = temporaryHome()
    const id = await held(home)
    await hermes(home, 'pending', id, '--approve')
    await undo(home)
    const removal = (await recordIds(home)).at(-2) ?? ''
    await hermes(home, 'pending', id, '--reject')
    expect(await undo(home, removal)).toMatchObject({ code: 1, stderr: expect.stringContaining('has been decided since') })
  })

  it('of a rejection is refused if the journal has only a part of the text', async () => {
    const home = temporaryHome()
    const storage = fileSystemBackend(home)
    const op = { action: 'create', name: 'long', content: skillText('long', 'Do it.\n'.repeat(3_000)) } as const
    const proposal = { target: 'skill', op, rationale: 'said', score: 0.9, evidence: [] } as const
    const waiting = await createPending({ storage, clock: tick }).hold({ proposals: [proposal], base: null, reason: 'A person decides.' })
    await storage.close()
    await hermes(home, 'pending', waiting.ok ? waiting.value.id : '', '--reject')
    expect(await undo(home)).toMatchObject({ code: 1, stderr: expect.stringContaining('The journal has only a part of its text') })
    const { told } = await runJson(['pending', '--home', home])
    expect(told.value).toMatchObject({ pending: [] })
  })

  it('of a rejection, once: it then waits already', async () => {
    const home = temporaryHome()
    await hermes(home, 'pending', await held(home), '--reject')
    expect(await undo(home)).toMatchObject({ code: 0, stdout: expect.stringContaining("'hermes pending' asks about it again.") })
    const before = await hermes(home, 'journal', 'list')
    expect(await undo(home)).toMatchObject({ code: 1, stderr: expect.stringContaining('waits again already') })
    expect(await hermes(home, 'journal', 'list')).toEqual(before)
  })
})

describe('hermes undo, of skills', () => {
  const DEPLOY = skillText('deploy')

  const withSkill = async () => {
    const home = temporaryHome()
    const storage = fileSystemBackend(home)
    const agent = createHermes({ storage, clock: tick })
    await agent.skillStore().create({ name: 'deploy', content: DEPLOY })
    return { home, agent, file: join(home, 'skills/deploy/SKILL.md'), notes: join(home, 'skills/deploy/references/api.md') }
  }

  it('of a new skill: it is in the archive, and comes back', async () => {
    const { home, file } = await withSkill()
    expect(await undo(home)).toMatchObject({ code: 0 })
    expect(existsSync(file)).toBe(false)
    expect(await undo(home)).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).toBe(DEPLOY)
  })

  it('of an edit, a patch and files: they are as before', async () => {
    const { home, agent, file, notes } = await withSkill()
    const skills = agent.skillStore()
    for (const change of [
      () => skills.edit('deploy', skillText('deploy', 'Another way.')),
      () => skills.patch('deploy', { oldText: 'Do it.', newText: 'Do it twice.' }),
      () => skills.writeFile('deploy', 'references/api.md', '# API\n'),
    ]) {
      expect((await change()).ok).toBe(true)
      expect(await undo(home)).toMatchObject({ code: 0 })
      expect([readFileSync(file, 'utf8'), existsSync(notes)]).toEqual([DEPLOY, false])
    }
    await skills.writeFile('deploy', 'references/api.md', '# API\n')
    await skills.removeFile('deploy', 'references/api.md')
    expect(await undo(home)).toMatchObject({ code: 0 })
    expect(readFileSync(notes, 'utf8')).toBe('# API\n')
  })

  it('refuses if the file changed since', async () => {
    const { home, agent, file } = await withSkill()
    await agent.skillStore().patch('deploy', { oldText: 'Do it.', newText: 'Do it twice.' })
    writeFileSync(file, `${readFileSync(file, 'utf8')}By hand.\n`)
    expect(await undo(home)).toMatchObject({ code: 1, stderr: expect.stringContaining('has been changed since') })
    expect(readFileSync(file, 'utf8')).toContain('By hand.')
  })

  it('of pins, the archive and a pause', async () => {
    const { home, file } = await withSkill()
    await hermes(home, 'curator', 'pin', 'deploy')
    await undo(home)
    await hermes(home, 'curator', 'archive', 'deploy')
    expect(existsSync(file)).toBe(false)
    await undo(home)
    expect(existsSync(file)).toBe(true)
    await hermes(home, 'curator', 'pause')
    await undo(home)
    expect((await runJson(['curator', 'status', '--home', home])).told.value).toMatchObject({ paused: false })
  })

  it('of a run of the curator: all skills are as before', async () => {
    const home = temporaryHome()
    writeOldSkills(home, NOW, ['old', 'older'])
    await hermes(home, 'curator', 'run')
    expect(existsSync(join(home, 'skills/old'))).toBe(false)
    expect((await undo(home)).stdout).toContain('restore all skills from the backup')
    expect([existsSync(join(home, 'skills/old')), existsSync(join(home, 'skills/older'))]).toEqual([true, true])
  })
})

/** Runs `hermes undo` at a terminal: `meanwhile` happens while it asks, and then the person agrees. */
const undoAsked = async (home: string, meanwhile: () => Promise<unknown>) => {
  let isAsked = false
  const { code } = await runAtTerminal(['undo', '--home', home], async (shown) => {
    if (isAsked || !shown.includes('Undo it?')) return undefined
    isAsked = true
    await meanwhile()
    return 'y'
  })
  return code
}

it('takes an undo back, also if another program wrote while it asked', async () => {
  const home = temporaryHome()
  const call = (...args: readonly string[]) => runHermes([...args, '--home', home])
  const memory = () => readFileSync(join(home, 'memories/MEMORY.md'), 'utf8').split('\n§\n').toSorted()
  await call('memory', 'add', 'Deploys on Fridays')
  expect(await undoAsked(home, () => call('memory', 'add', 'Builds with pnpm'))).toBe(0)
  expect(memory()).toEqual(['Builds with pnpm'])
  expect(await call('undo', '--yes')).toMatchObject({ code: 0 })
  expect(memory()).toEqual(['Builds with pnpm', 'Deploys on Fridays'])
})

const memoryOp = (target: 'memory' | 'user', op: object) => ({ target, op, rationale: 'said', score: 0.9, evidence: [] })

const skillOp = (op: object) => ({ target: 'skill', op, rationale: 'done', score: 0.9, evidence: [] })

/** A home in which a review has carried out these proposals, each at a time of its own. */
const reviewed = async (proposals: readonly object[], before: readonly (readonly string[])[] = []) => {
  const home = temporaryHome()
  let moment = NOW
  const clock = () => ++moment
  const call = (...args: readonly string[]) => runHermes([...args, '--home', home], { now: clock() })
  for (const args of before) await call(...args)
  const storage = fileSystemBackend(home)
  const hermes = createHermes({
    storage,
    clock,
    gate: async () => ({ ok: true, value: { verdict: 'approve', origin: 'user', reason: 'said' } }),
    review: { model: async () => JSON.stringify({ proposals }) },
  })
  const session = hermes.session('one')
  session.offerTools()
  session.recordTurn({ messages: [{ role: 'user', text: 'Hello.' }], toolIterations: 10 })
  await hermes.settled()
  await hermes.review({ minTurns: 1 })
  await storage.close()
  const read = (path: string): string | undefined => {
    try {
      return readFileSync(join(home, path), 'utf8')
    } catch {
      return undefined
    }
  }
  const texts = () => [read('memories/MEMORY.md') ?? '', read('memories/USER.md') ?? '']
  const undo = (...args: readonly string[]) => call('undo', '--yes', ...args)
  const ids = async (): Promise<readonly string[]> => {
    const { told } = await runJson(['journal', 'list', '--home', home])
    return (told.value as { readonly records: readonly { readonly id: string; readonly op?: object; readonly kind: string }[] }).records
      .filter(({ op, kind }) => op && kind === 'applied')
      .map(({ id }) => id)
  }
  return { home, texts, read, undo, ids, call }
}

const FACTS = [
  memoryOp('user', { action: 'add', content: 'User lives in Lisbon' }),
  memoryOp('memory', { action: 'add', content: 'The repo builds with pnpm' }),
  memoryOp('user', { action: 'add', content: 'User likes tea' }),
]

const LEARNED = ['The repo builds with pnpm', 'User lives in Lisbon\n§\nUser likes tea']

describe('hermes undo, of a review', () => {
  it('takes all back that it wrote, and a second time that too', async () => {
    const { texts, undo } = await reviewed(FACTS)
    expect(texts()).toEqual(LEARNED)
    const done = await undo()
    expect([done.code, texts()]).toEqual([0, ['', '']])
    expect(done.stderr).toMatch(/^Review \S+, \S.*: 3 writes\n/)
    expect(await undo()).toMatchObject({ code: 0 })
    expect(texts()[0]).toBe(LEARNED[0])
    expect(texts()[1]?.split('\n§\n').toSorted()).toEqual(['User likes tea', 'User lives in Lisbon'])
    expect(await undo()).toMatchObject({ code: 0 })
    expect(texts()).toEqual(['', ''])
  })

  it('takes one of its writes back by its id', async () => {
    const { texts, undo, ids } = await reviewed(FACTS)
    const [first = ''] = await ids()
    expect(await undo(first)).toMatchObject({ code: 0 })
    expect(texts()).toEqual(['The repo builds with pnpm', 'User likes tea'])
  })

  it('takes back an entry that it removed and then wrote again', async () => {
    const { texts, undo } = await reviewed(
      [
        memoryOp('memory', { action: 'remove', oldText: 'Deploys on Fridays' }),
        memoryOp('memory', { action: 'add', content: 'Deploys on Fridays' }),
      ],
      [
        ['memory', 'add', 'Deploys on Fridays'],
        ['memory', 'add', 'Builds with pnpm'],
      ],
    )
    const written = texts()
    expect(await undo()).toMatchObject({ code: 0 })
    expect(texts()[0]?.split('\n§\n').toSorted()).toEqual(['Builds with pnpm', 'Deploys on Fridays'])
    expect(await undo()).toMatchObject({ code: 0 })
    expect(texts()).toEqual(written)
  })

  it('leaves what it only confirmed', async () => {
    const { texts, undo } = await reviewed(FACTS, [['memory', 'add', 'User likes tea', '--to', 'user']])
    expect(await undo()).toMatchObject({ code: 0 })
    expect(texts()).toEqual(['', 'User likes tea'])
  })

  it('undoes changes of one skill in their reverse order', async () => {
    const proposals = [
      skillOp({ action: 'create', name: 'deploy', content: skillText('deploy') }),
      skillOp({ action: 'patch', name: 'deploy', oldText: 'Do it.', newText: 'Do it twice.' }),
      skillOp({ action: 'write_file', name: 'deploy', filePath: 'references/api.md', content: '# API\n' }),
    ]
    const { read, undo } = await reviewed(proposals)
    const skill = () => [read('skills/deploy/SKILL.md'), read('skills/deploy/references/api.md')]
    const written = [skillText('deploy').replace('Do it.', 'Do it twice.'), '# API\n']
    expect(skill()).toEqual(written)
    expect(await undo()).toMatchObject({ code: 0, stderr: expect.stringContaining('3 writes') })
    expect(skill()).toEqual([undefined, undefined])
    expect(await undo()).toMatchObject({ code: 0 })
    expect(skill()).toEqual(written)
  })

  it('says so if a write of the last review has been changed since, and which others can be undone', async () => {
    const { home, texts, undo, ids } = await reviewed(FACTS)
    const written = await ids()
    const storage = fileSystemBackend(home)
    await updateDocument(storage, 'memories/USER.md', () => new TextEncoder().encode('User lives in Porto\n§\nUser likes tea'))
    await storage.close()
    const refused = await undo()
    expect([refused.code, texts()]).toEqual([1, [LEARNED[0], 'User lives in Porto\n§\nUser likes tea']])
    expect(refused.stderr.replace(/\s+/g, ' ')).toContain("'User lives in Lisbon' has been changed since")
    expect(refused.stderr.replace(/\s+/g, ' ')).toMatch(/undo one of its writes by its id: \S+, \S+, \S+\./)
    expect(await undo(written[2] ?? '')).toMatchObject({ code: 0 })
    expect(texts()[1]).toBe('User lives in Porto')
  })
})
