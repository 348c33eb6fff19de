import { mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { createHermes, createHermesHomes, type Hermes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { describe, expect, it } from 'vitest'
import { openServer } from './openai-server.ts'
import { runHermes, runJson, temporaryHome, writeHome } from './run-hermes.ts'

const LISBON = JSON.stringify({
  proposals: [
    {
      target: 'user',
      op: { action: 'add', content: 'User lives in Lisbon', oldText: null },
      rationale: 'The person said so.',
      score: 0.9,
      evidence: [{ messageId: null, quote: 'I live in Lisbon' }],
    },
    {
      target: 'memory',
      op: { action: 'add', content: 'It may rain tomorrow', oldText: null },
      rationale: 'Mentioned.',
      score: 0.2,
      evidence: [{ messageId: null, quote: 'I live in Lisbon' }],
    },
  ],
})

const talk = async (hermes: Hermes, turns: number): Promise<void> => {
  for (let turn = 1; turn <= turns; turn++) {
    const text = turn === 1 ? 'I live in Lisbon' : `Turn ${turn}`
    hermes.session('chat').recordTurn({
      messages: [
        { role: 'user', text },
        { role: 'assistant', text: 'Fine.' },
      ],
    })
    await hermes.settled()
  }
}

/** A home with the given number of unread turns. */
const homeWith = async (turns: number, owner?: string): Promise<string> => {
  const home = temporaryHome()
  const storage = fileSystemBackend(home)
  await talk(owner === undefined ? createHermes({ storage }) : createHermesHomes({ storage }).for({ user: owner }), turns)
  await storage.close()
  return home
}

const userFile = (home: string): string => readFileSync(join(home, 'memories/USER.md'), 'utf8')

describe('hermes review', () => {
  it('reviews what is unread, tells what became of each proposal, and has nothing to do the next time', async () => {
    const { url, requests } = await openServer(() => LISBON)
    const home = await homeWith(2)
    const env = { OPENAI_BASE_URL: url, OPENAI_MODEL: 'm', COLUMNS: '100' }
    const { code, stdout, stderr } = await runHermes(['review', '--home', home], { env })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`Read 2 turns with m at ${url}: 1 written, 0 waiting for you, 1 rejected, 0 failed.`)
    expect(stdout).toMatch(/written +add to USER\.md: User lives in Lisbon/)
    expect(stdout).toMatch(/rejected +add to MEMORY\.md: It may rain tomorrow/)
    expect(userFile(home)).toContain('User lives in Lisbon')
    expect(requests).toHaveLength(1)

    const again = await runHermes(['review', '--home', home], { env })
    expect(again).toMatchObject({ code: 0, stdout: 'Nothing to review: every turn has been read.\n', stderr: '' })
    expect(requests).toHaveLength(1)
  })

  it('fails if what was learned cannot be written, and the next one reads the same turns', async () => {
    const { url, requests } = await openServer(() => LISBON)
    const home = await homeWith(2)
    const env = { OPENAI_BASE_URL: url, OPENAI_MODEL: 'm' }
    const inTheWay = join(home, 'memories/USER.md.lock')
    mkdirSync(inTheWay, { recursive: true })
    const { code, told } = await runJson(['review', '--home', home], { env })
    expect([code, told.error]).toMatchObject([1, { code: 'unwritable', message: expect.stringContaining('memories/USER.md.lock') }])
    expect(JSON.stringify(told.error)).toContain('The turns stay unread, so that the next review tries again.')
    rmdirSync(inTheWay)
    expect(await runHermes(['review', '--home', home], { env })).toMatchObject({ code: 0 })
    expect([userFile(home), requests.length]).toEqual(['User lives in Lisbon', 2])
  })

  it('tells what made room in a full store', async () => {
    const { url } = await openServer(() => LISBON)
    const home = await homeWith(2)
    const env = { OPENAI_BASE_URL: url, OPENAI_MODEL: 'm', COLUMNS: '100' }
    writeHome(home, { 'config.yaml': 'memory:\n  user_char_limit: 30\n' })
    await runHermes(['memory', 'add', '-t', 'user', 'Likes rain more than sun', '--home', home])
    const { stdout } = await runHermes(['review', '--home', home], { env })
    expect(stdout).toMatch(/written +add to USER\.md: User lives in Lisbon\n +made room +Likes rain more than sun\n/)
    expect(stdout).toContain("'hermes memory archived' lists the entries that made room, and 'hermes memory restore' brings them back.")
  })

  it('leaves fewer turns than asked for unread', async () => {
    const { url, requests } = await openServer(() => LISBON)
    const home = await homeWith(2)
    const env = { OPENAI_BASE_URL: url, OPENAI_MODEL: 'm' }
    const few = await runHermes(['review', '--min-turns', '3', '--home', home], { env })
    expect(few).toMatchObject({ code: 0, stdout: 'Nothing to review: 2 turns are unread, and --min-turns asks for 3.\n' })
    expect(requests).toHaveLength(0)
    const { told } = await runJson(['review', '--min-turns', '3', '--home', home], { env })
    expect(told).toEqual({ ok: true, value: { kind: 'nothing-due', unreadTurns: 2 } })
    expect((await runHermes(['review', '--min-turns', '0', '--home', home], { env })).code).toBe(2)
  })

  it('is the home of the person that is named, and an object for programs', async () => {
    const { url } = await openServer(() => LISBON)
    const home = await homeWith(1, 'ada')
    const env = { OPENAI_BASE_URL: url, OPENAI_MODEL: 'm' }
    expect((await runJson(['review', '--home', home, '--user', 'grace'], { env })).told).toMatchObject({ value: { kind: 'nothing-due' } })
    const { code, told } = await runJson(['review', '--home', home, '--user', 'ada'], { env })
    expect(code).toBe(0)
    expect(told).toMatchObject({
      ok: true,
      value: {
        kind: 'reviewed',
        turns: 1,
        applied: [{ proposal: { target: 'user', op: { content: 'User lives in Lisbon' } } }],
        held: [],
        rejected: [{ proposal: { target: 'memory' } }],
        failed: [],
      },
    })
  })

  it('says what to set if there is no model, and what to check if it fails; the turns stay unread', async () => {
    const home = await homeWith(1)
    const none = await runHermes(['review', '--home', home])
    expect(none.code).toBe(1)
    expect(none.stderr).toContain('A review needs a model. No model is configured. Set ANTHROPIC_API_KEY')

    const broken = await openServer(() => 401)
    const refused = await runHermes(['review', '--home', home], { env: { OPENAI_BASE_URL: broken.url, OPENAI_MODEL: 'm' } })
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('Check OPENAI_BASE_URL')

    const { url } = await openServer(() => LISBON)
    const { told } = await runJson(['review', '--home', home], { env: { OPENAI_BASE_URL: url, OPENAI_MODEL: 'm' } })
    expect(told).toMatchObject({ value: { kind: 'reviewed', turns: 1 } })
  })

  it('says that reviews are switched off if they are', async () => {
    const home = temporaryHome()
    writeHome(home, { 'config.yaml': 'memory:\n  nudge_interval: 0\n' })
    const off = await runHermes(['review', '--home', home])
    expect(off.code).toBe(1)
    expect(off.stderr).toContain("config.yaml says 'memory.nudge_interval: 0'")
  })

  it('stops with Ctrl-C, says so, and leaves the turns unread', async () => {
    const { url } = await openServer(() => LISBON)
    const home = await homeWith(1)
    const env = { OPENAI_BASE_URL: url, OPENAI_MODEL: 'm' }
    const stopped = await runHermes(['review', '--home', home], { env, interrupt: true })
    expect(stopped.code).toBe(130)
    expect(stopped.stderr).toContain('Stopped by Ctrl-C. The turns are unread again.')
    expect((await runJson(['review', '--home', home], { env })).told).toMatchObject({ value: { turns: 1 } })
  })

  it('fails if another review of the home is in progress', async () => {
    const home = temporaryHome()
    const storage = fileSystemBackend(home)
    const hermes = createHermes({ storage, review: { model: () => new Promise(() => {}) } })
    await talk(hermes, 1)
    const skip = new AbortController()
    const underWay = hermes.review({ minTurns: 1, signal: skip.signal })
    await expect.poll(() => readFileSync(join(home, 'sessions/.reviews.json'), 'utf8')).toContain('"review"')
    const { url } = await openServer(() => LISBON)
    const busy = await runHermes(['review', '--home', home], { env: { OPENAI_BASE_URL: url, OPENAI_MODEL: 'm' } })
    expect(busy.code).toBe(1)
    expect(busy.stderr).toContain('Another review of this home is running')
    skip.abort()
    await underWay
    await hermes.close()
  })

  it('writes nothing to a home that does not exist', async () => {
    const { url } = await openServer(() => LISBON)
    const parent = temporaryHome()
    const run = await runHermes(['review', '--home', join(parent, 'none')], { env: { OPENAI_BASE_URL: url, OPENAI_MODEL: 'm' } })
    expect(run).toMatchObject({ code: 0, stdout: 'Nothing to review: every turn has been read.\n' })
    expect(readdirSync(parent)).toEqual([])
  })
})
