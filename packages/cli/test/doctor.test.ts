import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHermes, systemClock } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { createJournal } from '@hermes/core/journal'
import { providerFolder } from '@hermes/core/provider'
import { recallProvider, sqliteRecallIndex } from '@hermes/recall'
import { describe, expect, it } from 'vitest'
import { runHermes, runJson, skillText, temporaryHome, writeHome } from './run-hermes.ts'

const NOW = Date.UTC(2026, 4, 23, 12)

interface Found {
  readonly id: string
  readonly status: string
  readonly found: string
  readonly fix?: string
  readonly details?: readonly string[]
}

const examine = async (home: string, env: Readonly<Record<string, string>> = {}, ...more: readonly string[]) => {
  const { code, told } = await runJson(['doctor', '--home', home, ...more], { now: NOW, env })
  const { checks } = told.value as { readonly checks: readonly Found[] }
  const check = (id: string): Found => checks.find((one) => one.id === id) ?? { id, status: 'missing', found: '' }
  return { code, checks, check, bad: checks.filter(({ status }) => status !== 'ok').map(({ id, status }) => `${id} ${status}`) }
}

/** A home with something in every place. */
const usedHome = async (): Promise<string> => {
  const home = temporaryHome()
  chmodSync(home, 0o700)
  writeHome(home, { 'skills/deploy/SKILL.md': skillText('deploy') })
  const storage = fileSystemBackend(home)
  const hermes = createHermes({ storage, clock: () => NOW })
  await hermes.memoryStore().apply('memory', { action: 'add', content: 'builds with pnpm' }, { origin: 'user' })
  const session = hermes.session('chat-1')
  await session.systemBlock()
  session.beginStep([{ role: 'user', text: 'Hello' }])
  session.endStep({ turnFinished: true, calledTools: false, reply: [{ role: 'assistant', text: 'Hi' }] })
  await hermes.settled()
  await hermes.curator.pause()
  await hermes.close()
  return home
}

/** Times, modes and bytes of everything below the folder, which is `''`. */
const everything = (folder: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })].map((path) => {
      const found = lstatSync(join(folder, path))
      return [path, [found.mtimeMs, found.mode, found.isFile() ? readFileSync(join(folder, path), 'base64') : '']]
    }),
  )

describe('hermes doctor', () => {
  it('finds nothing wrong with a home in use, and changes no byte and no time', async () => {
    const home = await usedHome()
    const before = everything(home)
    const { code, bad, checks } = await examine(home)
    expect([code, bad]).toEqual([0, []])
    expect(checks.map(({ id }) => id)).toEqual([
      'node',
      'home',
      'permissions',
      'disk',
      'lock',
      'python',
      'config',
      'model',
      'provider',
      'agents',
      'memory',
      'skills',
      'sessions',
      'pending',
      'curator',
      'journal',
      'reviews',
    ])
    expect(everything(home)).toEqual(before)
    expect(Object.keys(before)).toContain('memories/MEMORY.md')
  })

  it('names each damaged document, and what to do', async () => {
    const home = await usedHome()
    writeFileSync(join(home, 'memories/USER.md'), new Uint8Array([0xff, 0xfe, 0x41]))
    writeHome(home, { 'sessions/broken.json': '{', 'skills/.usage.json': '{', 'config.yaml': 'memory: { memory_char_limit: lots }\n' })
    const day = readdirSync(join(home, 'journal'), { recursive: true, encoding: 'utf8' }).find((path) => path.endsWith('.jsonl'))
    writeFileSync(join(home, 'journal', day ?? ''), 'no record\nnor this\n', { flag: 'a' })
    const before = everything(home)
    const { code, bad, check } = await examine(home)
    expect(code).toBe(1)
    expect(bad).toEqual(
      expect.arrayContaining(['config problem', 'memory problem', 'sessions problem', 'skills problem', 'journal problem']),
    )
    expect(check('memory').details?.join()).toContain('USER.md')
    expect(check('journal').details).toHaveLength(2)
    expect(check('sessions').details).toEqual(["'sessions/broken.json' is not a session record."])
    expect(everything(home)).toEqual(before)
    const { stdout, stderr } = await runHermes(['doctor', '--verbose', '--home', home], { now: NOW })
    expect(stdout).toMatch(/problem {2}sessions {5}.*1 document cannot be read\n/)
    expect(stdout).toContain("'sessions/broken.json'")
    expect(stderr).toMatch(/error: \d problems found\./)
  })

  it('warns of a folder in which others may replace what is closed to them', async () => {
    const home = await usedHome()
    for (const mode of [0o777, 0o770]) {
      chmodSync(home, mode)
      const { code, check } = await examine(home)
      expect(code).toBe(0)
      expect(check('permissions')).toMatchObject({
        status: 'warning',
        found: `other users of this machine can replace what is in the home (0${mode.toString(8)})`,
        fix: expect.stringContaining(`chmod 700 ${home}`),
      })
    }
  })

  it('does not promise that a write creates a folder that was named', async () => {
    const home = join(temporaryHome(), 'none')
    const { code, check } = await examine(home)
    expect([code, check('home').status]).toEqual([0, 'warning'])
    expect(check('home').fix).toBe(`If the name is right, create it: hermes init --home ${home}`)
  })

  it('sees open permissions, Python Hermes and a failed review', async () => {
    const home = await usedHome()
    chmodSync(home, 0o755)
    mkdirSync(join(home, 'memories'), { recursive: true })
    chmodSync(join(home, 'memories'), 0o755)
    writeHome(home, { 'SOUL.md': 'be kind' })
    const storage = fileSystemBackend(home, { permissions: 'keep' })
    const journal = createJournal({ storage, clock: () => NOW, createId: () => 'r1' })
    const error = { code: 'model', message: 'The model did not answer.' }
    await journal.append([{ actor: 'review', kind: 'review-failed', reason: 'No answer.', error }])
    await storage.close()
    const { code, check } = await examine(home)
    expect(code).toBe(0)
    expect(check('permissions')).toMatchObject({ status: 'warning', fix: expect.stringContaining(`chmod 700 ${home}`) })
    expect(check('python')).toMatchObject({ status: 'ok', details: ['signs: SOUL.md'] })
    expect(check('reviews')).toMatchObject({ status: 'warning', found: 'the last one failed just now: The model did not answer.' })
    chmodSync(home, 0o500)
    if (process.getuid?.() !== 0) expect((await examine(home)).check('home').status).toBe('problem')
    chmodSync(home, 0o700)
  })

  it('never prints a key or a password', async () => {
    const env = { ANTHROPIC_API_KEY: 'sk-ant-hunter2', DATABASE_URL: 'postgres://me:hunter3@127.0.0.1:9/app' }
    const home = await usedHome()
    const { code, check } = await examine(home, env)
    expect([code, check('model').status, check('database').status]).toEqual([1, 'ok', 'problem'])
    expect(check('database').found).toMatch(/^127\.0\.0\.1:9\/app cannot be reached: /)
    for (const args of [['--json'], ['--verbose']]) {
      const { stdout, stderr } = await runHermes(['doctor', '--home', home, ...args], { env })
      expect(stdout + stderr).not.toContain('hunter')
    }
  })

  it('opens the memory provider without changing its index', async () => {
    const home = await usedHome()
    const folder = join(home, 'recall')
    const index = sqliteRecallIndex({ folder })
    const report = (cause: Error) => expect(cause).toBeUndefined()
    const recall = await recallProvider({ index }).openRecall({ folder: await providerFolder(undefined), clock: systemClock, report })
    await recall.index.add([{ id: 't', kind: 'turn', source: 'chat-1', at: NOW, automated: false, user: 'Hi', answer: 'Hello' }])
    await recall.index.close()
    writeHome(home, { 'config.yaml': 'memory: { provider: recall }\n' })
    const before = everything(home)
    expect((await examine(home)).check('provider')).toMatchObject({ status: 'ok' })
    expect(everything(home)).toEqual(before)
    writeHome(home, { 'config.yaml': 'memory: { provider: "@no/such-package" }\n' })
    expect((await examine(home)).check('provider')).toMatchObject({ status: 'problem', found: expect.stringContaining('@no/such-package') })
  })

  it('names the first setting that has no effect, and how many more there are', async () => {
    const home = temporaryHome()
    writeHome(home, { 'config.yaml': 'memory:\n  nonsense: 1\n  nothing: 2\n' })
    expect((await examine(home)).check('config')).toMatchObject({
      status: 'warning',
      found: expect.stringMatching(/^config\.yaml, line 2: 'memory\.nonsense' has no effect/),
      fix: expect.stringContaining('1 more'),
    })
  })

  it('does not create a missing home', async () => {
    const home = join(temporaryHome(), 'none')
    const { code, check } = await examine(home)
    expect([code, check('home').status]).toEqual([0, 'warning'])
    expect(() => lstatSync(home)).toThrow('ENOENT')
  })

  it.each([120, 80, 50])('fits on %i columns', async (columns) => {
    const home = await usedHome()
    writeHome(home, { 'sessions/broken.json': '{' })
    const { stdout } = await runHermes(['doctor', '--verbose', '--home', home], { columns })
    const lines = stdout.split('\n').filter((line) => !line.includes(home.slice(0, 10)))
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns)
  })

  it('repairs damaged records of origins from the journal, keeps the damaged file, and does so once', async () => {
    const home = await usedHome()
    await runHermes(['memory', 'add', 'Deploys on Mondays', '--home', home], { now: NOW })
    await runHermes(['memory', 'pin', 'Deploys', '--home', home], { now: NOW })
    writeHome(home, { 'memories/USER.md': 'written by hand', 'memories/.facts.jsonl': '{ damaged' })
    const broken = await examine(home)
    expect(broken.code).toBe(1)
    expect(broken.check('memory')).toMatchObject({ status: 'problem', fix: expect.stringContaining('hermes doctor --repair') })
    expect(readFileSync(join(home, 'memories/.facts.jsonl'), 'utf8')).toBe('{ damaged')

    const { code, stdout } = await runHermes(['doctor', '--repair', '--home', home], { now: NOW })
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^The origins were repaired: 2 entries from the journal\. 1 entry without a record now counts as from outside\. The damaged file is kept as 'memories\/\.facts\.jsonl\.damaged-[^']+'\.\n/,
    )
    const copy = readdirSync(join(home, 'memories')).find((name) => name.includes('.damaged-')) ?? ''
    expect(readFileSync(join(home, 'memories', copy), 'utf8')).toBe('{ damaged')
    const { told } = await runJson(['memory', 'show', '--home', home])
    expect(told.value).toMatchObject({
      stores: [
        {
          entries: [
            { text: 'builds with pnpm', origin: 'user', firstSeenAt: NOW },
            { text: 'Deploys on Mondays', origin: 'user', pinned: true },
          ],
        },
        { entries: [{ text: 'written by hand', origin: 'tool' }] },
      ],
    })
    expect(await runHermes(['memory', 'add', 'writes again', '--home', home])).toMatchObject({ code: 0 })
    const again = await runHermes(['doctor', '--repair', '--home', home], { now: NOW })
    expect(again.stdout).toMatch(/^Nothing to repair: /)
    expect(readdirSync(join(home, 'memories')).filter((name) => name.includes('.damaged-'))).toEqual([copy])
  })

  it('repairs no origins while a memory file is damaged, whose entries would lose theirs', async () => {
    const home = await usedHome()
    writeHome(home, { 'memories/.facts.jsonl': '{' })
    writeFileSync(join(home, 'memories/MEMORY.md'), new Uint8Array([0xff]))
    const { code, stderr } = await runHermes(['doctor', '--repair', '--home', home], { now: NOW })
    expect([code, stderr]).toEqual([1, expect.stringContaining("The origins were not repaired: 'memories/MEMORY.md' is not valid UTF-8")])
    expect(readFileSync(join(home, 'memories/.facts.jsonl'), 'utf8')).toBe('{')
  })

  it('warns of a store over its limit, and names what mends it', async () => {
    const home = await usedHome()
    const entries = Array.from({ length: 300 }, (_, at) => `fact number ${at}`)
    writeHome(home, { 'memories/MEMORY.md': entries.join('\n§\n') })
    const { code, check } = await examine(home)
    expect(code).toBe(0)
    expect(check('memory')).toMatchObject({
      status: 'warning',
      found: expect.stringContaining('; MEMORY.md is over the limit'),
      fix: expect.stringContaining("'hermes memory remove <text>' moves an entry to the archive"),
      details: [expect.stringMatching(/^MEMORY\.md: [45],\d{3} characters, at most 2,200$/)],
    })
    expect(await runHermes(['memory', 'remove', 'fact number 299', '--home', home])).toMatchObject({ code: 0 })
    writeHome(home, { 'memories/MEMORY.md': 'x'.repeat(3_000) })
    expect((await examine(home)).check('memory').fix).toContain('An entry is longer than the whole limit: shorten it in the file.')
  })
})
