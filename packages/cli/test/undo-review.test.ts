import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHermes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { updateDocument } from '@hermes/core/storage'
import { describe, expect, it } from 'vitest'
import { runHermes, runJson, skillText, temporaryHome } from './run-hermes.ts'

const NOW = Date.UTC(2026, 4, 23, 12)

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
