import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileSystemBackend } from '@hermes/core/file-system'
import { createPending } from '@hermes/core/journal'
import { describe, expect, it } from 'vitest'
import { runAtTerminal } from './run-at-terminal.ts'
import { runHermes, runJson, temporaryHome, writeHome } from './run-hermes.ts'

const FACTS = ['Likes tea', 'Lives in Lisbon', 'Builds with pnpm']

/** Three proposals wait, oldest first. */
const heldHome = async () => {
  const home = temporaryHome()
  const storage = fileSystemBackend(home)
  let now = Date.UTC(2026, 4, 23)
  const pending = createPending({ storage, clock: () => now++ })
  for (const content of FACTS) {
    const proposal = { target: 'user', op: { action: 'add', content }, rationale: 'a page', score: 0.9, evidence: [] } as const
    const held = await pending.hold({ proposals: [proposal], reason: 'It is from outside.', origin: 'tool' })
    if (!held.ok) throw held.error
  }
  await storage.close()
  const user = (): string => (existsSync(join(home, 'memories/USER.md')) ? readFileSync(join(home, 'memories/USER.md'), 'utf8') : '')
  const waiting = async () => {
    const { told } = await runJson(['pending', '--home', home])
    return (told.value as { readonly pending: readonly { readonly ops: readonly { readonly content: string }[] }[] }).pending.map(
      ({ ops }) => ops[0]?.content,
    )
  }
  return { home, user, waiting }
}

/** A person at a terminal who presses the next key whenever a question is asked. */
const atTerminal = async (home: string, keys: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const left = [...keys]
  const press = async (shown: string) =>
    // The first drawing of a question ends with its last choice.
    /\d of \d: write/.test(shown) && shown.includes('quit') ? (left.shift() ?? 'q') : undefined
  const done = await runAtTerminal(['pending', '--home', home], press, { PATH: process.env['PATH'], ...env })
  return { ...done, unused: left }
}

describe('hermes pending, at a terminal', () => {
  it('asks about each proposal: y writes it, n drops it, s leaves it', async () => {
    const { home, user, waiting } = await heldHome()
    const done = await atTerminal(home, ['y', 'n', 's'])
    expect(done).toMatchObject({ code: 0, unused: [], stdout: expect.stringContaining('1 approved, 1 rejected, 1 proposal waits.\n') })
    for (const text of FACTS) expect(done.stderr).toContain(text)
    expect([user(), await waiting()]).toEqual(['Likes tea', ['Builds with pnpm']])
    expect(await runHermes(['undo', '--yes', '--home', home])).toMatchObject({ code: 0 })
    expect((await waiting()).toSorted()).toEqual(['Builds with pnpm', 'Lives in Lisbon'])
  })

  it('quits with q, and keeps what was decided', async () => {
    const { home, user, waiting } = await heldHome()
    expect(await atTerminal(home, ['y', 'q'])).toMatchObject({ code: 0, stdout: expect.stringContaining('2 proposals wait') })
    expect([user(), await waiting()]).toEqual(['Likes tea', ['Lives in Lisbon', 'Builds with pnpm']])
  })

  it('ends with 130 at Ctrl-C, and keeps what was decided', async () => {
    const { home, user, waiting } = await heldHome()
    expect(await atTerminal(home, ['y', '\u0003'])).toMatchObject({ code: 130, stderr: expect.stringContaining('What was decided stays.') })
    expect([user(), await waiting()]).toEqual(['Likes tea', ['Lives in Lisbon', 'Builds with pnpm']])
  })

  it('writes a text that was changed in the editor instead, and asks again if it was left as it was', async () => {
    const { home, user, waiting } = await heldHome()
    const script = join(temporaryHome(), 'editor.sh')
    writeFileSync(script, `grep -q tea "$1" || exit 0\necho 'Likes green tea' > "$1"\n`)
    const done = await atTerminal(home, ['e', 'e', 'n', 's'], { EDITOR: `sh ${script}` })
    expect(done).toMatchObject({ code: 0, unused: [], stdout: expect.stringContaining('1 edited, 1 rejected, 1 proposal waits.') })
    expect([user(), await waiting()]).toEqual(['Likes green tea', ['Builds with pnpm']])
  })

  it('writes a text of the person that hermes undo takes back together with the decision', async () => {
    const { home, user, waiting } = await heldHome()
    const script = join(temporaryHome(), 'editor.sh')
    writeFileSync(script, `echo 'Likes green tea' > "$1"\n`)
    expect(await atTerminal(home, ['e', 'q'], { EDITOR: `sh ${script}` })).toMatchObject({ code: 0 })
    expect([user(), (await waiting()).length]).toEqual(['Likes green tea', 2])
    expect(await runHermes(['undo', '--yes', '--home', home])).toMatchObject({ code: 0 })
    expect([user(), (await waiting()).toSorted()]).toEqual(['', FACTS.toSorted()])
    expect(await runHermes(['undo', '--yes', '--home', home])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('reject the proposal again: add to USER.md: Likes tea'),
    })
    expect([user(), (await waiting()).toSorted()]).toEqual(['Likes green tea', FACTS.slice(1).toSorted()])
  })

  it('asks again if the editor leaves no text, and says how to drop the proposal', async () => {
    const { home, user, waiting } = await heldHome()
    const done = await atTerminal(home, ['e', 'q'], { EDITOR: 'sh -c \': > "$1"\' editor' })
    expect(done).toMatchObject({ code: 0, unused: [], stderr: expect.stringContaining("The text is empty, so nothing was written: 'n'") })
    expect(done.stderr).not.toContain('is kept in')
    expect([user(), await waiting()]).toEqual(['', FACTS])
  })

  it('keeps the proposal and the text that is refused, says why and asks again', async () => {
    const { home, user, waiting } = await heldHome()
    const script = join(temporaryHome(), 'editor.sh')
    writeFileSync(script, `echo 'my password is hunter2hunter2' > "$1"\n`)
    const done = await atTerminal(home, ['e', 'q'], { EDITOR: `sh ${script}` })
    const [, kept = ''] = /Your text is kept in (\S+entry\.txt)/.exec(done.stderr.replace(/\s+/g, ' ')) ?? []
    expect([done.code, readFileSync(kept, 'utf8')]).toEqual([0, 'my password is hunter2hunter2\n'])
    rmSync(dirname(kept), { recursive: true })
    expect([user(), await waiting()]).toEqual(['', FACTS])
  })
})

describe('hermes pending, without a terminal', () => {
  it('lists what waits', async () => {
    const { home } = await heldHome()
    const { stdout } = await runHermes(['pending', '--home', home])
    for (const text of FACTS) expect(stdout).toContain(text)
    const { told } = await runJson(['pending', '--home', home])
    expect(told.value).toMatchObject({ pending: FACTS.map((content) => ({ ops: [{ content }] })) })
    expect((await runHermes(['pending', '--home', temporaryHome()])).stdout).toBe('Nothing waits for you.\n')
  })

  it.each([[['--approve']], [['--approve', '--reject', 'x']]])('refuses %j, and decides nothing', async (options) => {
    const { home } = await heldHome()
    expect(await runHermes(['pending', ...options, '--home', home])).toMatchObject({ code: 2, stdout: '' })
    expect((await runJson(['pending', '--home', home])).told.value).toMatchObject({ pending: FACTS.map(() => ({})) })
  })

  it('decides nothing while config.yaml is wrong, but shows what waits', async () => {
    const { home } = await heldHome()
    writeHome(home, { 'config.yaml': 'memory: [\n' })
    const { told } = await runJson(['pending', '--home', home])
    const [first] = (told.value as { readonly pending: readonly { readonly id: string }[] }).pending
    expect(await runHermes(['pending', first?.id ?? '', '--approve', '--home', home])).toMatchObject({ code: 1, stdout: '' })
    expect((await runJson(['pending', '--home', home])).told.value).toMatchObject({ pending: FACTS.map(() => ({})) })
  })
})
