import { createHermes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { describe, expect, it } from 'vitest'
import { runHermes, runJson, skillText, temporaryHome, writeHome } from './run-hermes.ts'

const NOW = Date.UTC(2026, 4, 23, 12)
const HOUR = 3_600_000

/** Two sessions with the writes of a day between them, as an agent makes them. */
const home = async (): Promise<string> => {
  const folder = temporaryHome()
  let at = NOW - 30 * HOUR
  const storage = fileSystemBackend(folder)
  const hermes = createHermes({ storage, clock: () => at })
  const memory = hermes.memoryStore()
  const talk = async (id: string) => {
    const session = hermes.session(id)
    session.offerTools()
    await session.systemBlock()
    session.beginStep([{ role: 'user', text: 'Hello' }])
    session.endStep({ turnFinished: true, calledTools: false, reply: [{ role: 'assistant', text: 'Hi' }] })
    await hermes.settled()
    at += HOUR
  }
  await memory.apply('memory', { action: 'add', content: 'The repo builds with pnpm 9' }, { origin: 'user' })
  await memory.apply('memory', { action: 'add', content: 'Staging is at\nstage.example.com' }, { origin: 'user' })
  await talk('chat-1')
  await talk('chat-2')
  await memory.apply('memory', { action: 'replace', oldText: 'pnpm 9', content: 'The repo builds with pnpm 12' }, { origin: 'user' })
  await memory.apply('memory', { action: 'remove', oldText: 'Staging' }, { origin: 'user' })
  await memory.apply('memory', { action: 'add', content: 'A page says\nthe API is slow' }, { origin: 'tool' })
  await memory.apply('user', { action: 'add', content: 'Lives in Oslo' }, { origin: 'user' })
  await hermes.skillStore().create({ name: 'deploy', content: skillText('deploy') })
  await talk('chat-3')
  await hermes.close()
  return folder
}

const diff = async (folder: string, ...args: readonly string[]) => {
  const { code, told } = await runJson(['diff', '--home', folder, ...args], { now: NOW })
  return { code, told, value: told.value as Readonly<Record<string, unknown>> }
}

describe('hermes diff', () => {
  it('names the entries and skills that the newest prompt gained, changed and lost', async () => {
    const { value } = await diff(await home())
    expect(value).toMatchObject({ older: { id: 'chat-2' }, newer: { id: 'chat-3' } })
    expect(value['changes']).toEqual([
      { part: 'memory', kind: 'changed', what: 'The repo builds with pnpm 12', before: 'The repo builds with pnpm 9', outside: false },
      { part: 'memory', kind: 'gained', what: 'A page says\nthe API is slow', outside: true },
      { part: 'memory', kind: 'lost', what: 'Staging is at\nstage.example.com', outside: false },
      { part: 'user', kind: 'gained', what: 'Lives in Oslo', outside: false },
      { part: 'skill', kind: 'gained', what: 'deploy', text: 'How to deploy.', outside: false },
    ])
  })

  it('compares two sessions in the order of their age, by the beginning of their ids', async () => {
    const folder = await home()
    expect((await diff(folder, 'chat-3', 'chat-1')).value).toMatchObject({ older: { id: 'chat-1' }, newer: { id: 'chat-3' } })
    expect((await diff(folder, 'chat-1', 'chat-2')).value).toMatchObject({ changes: [], chars: 0 })
    expect(await diff(folder, 'chat')).toMatchObject({ code: 1, told: { error: { code: 'ambiguous' } } })
    const unknown = { code: 'not_found', message: "There is no session 'none'. The newest are chat-3, chat-2, chat-1." }
    expect(await diff(folder, 'none')).toMatchObject({ code: 1, told: { error: unknown } })
  })

  it('compares with a session that starts now', async () => {
    const folder = await home()
    await runHermes(['memory', 'add', 'Deploys with Kamal', '--home', folder], { now: NOW })
    const { value } = await diff(folder, 'now')
    expect(value).toMatchObject({
      older: { id: 'chat-3' },
      newer: { id: 'now' },
      changes: [{ kind: 'gained', what: 'Deploys with Kamal' }],
    })
    // The first session has none before it.
    expect((await diff(folder, 'chat-1')).value).toMatchObject({ older: { id: 'chat-1' }, newer: { id: 'now' } })
  })

  it('says so if there is no session', async () => {
    const folder = temporaryHome()
    writeHome(folder, { 'memories/MEMORY.md': 'one' })
    expect(await diff(folder)).toMatchObject({ code: 1, told: { error: { code: 'not_found' } } })
  })

  it.each([120, 80, 50])('fits on %i columns', async (columns) => {
    const { stdout } = await runHermes(['diff', '--home', await home()], { now: NOW, columns })
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(columns)
    expect(stdout).toContain('  ~ The repo builds with pnpm 12\n    was: The repo builds with pnpm 9\n')
    expect(stdout).toContain('3 gained, 1 changed, 1 lost')
  })
})
