/** `hermes.curator`: scheduled and manual runs, a person's commands, and their events, in memory and on disk. */
import { cpSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { manualClock } from '@hermes/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createHermes } from '../src/create-hermes.ts'
import { updateCuratorState } from '../src/curator/state.ts'
import type { HermesOptions } from '../src/hermes-options.ts'
import type { HostModel } from '../src/model/host-model.ts'
import type { HermesEvent } from '../src/session/hermes-event.ts'
import { systemClock } from '../src/shared/clock.ts'
import { HermesError } from '../src/shared/hermes-error.ts'
import { ok } from '../src/shared/result.ts'
import { fileSystemBackend } from '../src/storage/files/file-backend.ts'
import { inMemoryBackend } from '../src/storage/in-memory.ts'
import type { StorageBackend } from '../src/storage/storage-backend.ts'
import { temporaryFolder } from './storage/support/temporary-home.ts'
import {
  contentsOf,
  DAY,
  fillLibrary,
  NOON,
  pathsIn,
  readText,
  type SkillWords,
  skillText,
  unwrap,
  writeText,
} from './support/curator-library.ts'

const HOUR = 3_600_000
const LIBRARY: Readonly<Record<string, SkillWords>> = {
  old: { idleDays: 95 },
  idle: { idleDays: 45 },
  fresh: { idleDays: 1 },
  mine: { idleDays: 95, by: 'user' },
}

const open = async (
  storage: StorageBackend = inMemoryBackend(),
  options: Partial<HermesOptions> = {},
  skills: Readonly<Record<string, SkillWords>> = LIBRARY,
) => {
  await fillLibrary(storage, skills)
  const clock = manualClock(NOON)
  const events: HermesEvent[] = []
  let ids = 0
  const hermes = createHermes({ storage, clock, createId: () => `id ${++ids}`, onEvent: (event) => events.push(event), ...options })
  const isDue = async () => unwrap(await updateCuratorState(storage, () => ({ lastRunAt: NOON - 168 * HOUR })))
  return { storage, clock, events, hermes, curator: hermes.curator, isDue }
}

const onDisk = (): StorageBackend => {
  const storage = fileSystemBackend(temporaryFolder(), { onWarning: () => undefined })
  onTestFinished(() => storage.close())
  return storage
}

describe.each([
  ['in memory', () => inMemoryBackend()],
  ['on a disk', onDisk],
])('a run %s', (_where, createStorage) => {
  it('writes nothing if it is a preview', async () => {
    const { storage, curator, events } = await open(createStorage())
    const before = await contentsOf(storage)
    const preview = unwrap(await curator.run({ dryRun: true }))
    expect(preview.report).toMatchObject({
      dryRun: true,
      transitioned: [
        { name: 'idle', to: 'stale' },
        { name: 'old', to: 'archived' },
      ],
    })
    expect(await contentsOf(storage)).toEqual(before)
    expect(events).toEqual([])
  })

  it('takes a backup first, archives, tells, and everything can be brought back', async () => {
    const { storage, curator, events } = await open(createStorage())
    const text = await readText(storage, 'skills/old/SKILL.md')
    const run = unwrap(await curator.run())
    expect(run).toMatchObject({ problems: [], reportPath: 'logs/curator/20260601-120000' })
    expect(events).toEqual([{ type: 'curator-finished', at: NOON, reason: 'requested', outcome: run }])
    const { backups } = unwrap(await curator.backups())
    expect(backups.map(({ id, reason }) => [id, reason])).toEqual([[run.backupId, 'pre-curator-run']])
    expect(backups[0]?.files.map(({ path }) => path)).toContain('skills/old/SKILL.md')
    expect(await readText(storage, 'skills/old/SKILL.md')).toBeUndefined()
    expect(await readText(storage, 'skills/mine/SKILL.md')).toBeDefined()

    expect(unwrap(await curator.listArchived()).entries.map(({ name }) => name)).toEqual(['old'])
    expect(unwrap(await curator.restore('old')).restored.skill.path).toBe('old')
    expect(await readText(storage, 'skills/old/SKILL.md')).toBe(text)
    expect(unwrap(await curator.status())).toMatchObject({
      counts: { active: 3, stale: 1, archived: 0, managed: 3, unmanaged: 1 },
      misjudged: [{ name: 'old', misjudgements: 1 }],
      backups: { count: 1, newest: { id: run.backupId } },
      problems: [],
    })
  })
})

describe('the scheduled run', () => {
  it('is waited for by settled() and close()', async () => {
    const { storage, hermes, curator, isDue } = await open()
    await isDue()
    let ended = false
    void curator.maybeRun({ idleMs: DAY }).then(() => {
      ended = true
    })
    await hermes.settled()
    expect(ended).toBe(true)
    expect(await readText(storage, 'skills/old/SKILL.md')).toBeUndefined()
  })
})

describe('idleness that the host does not measure', () => {
  const say = async ({ hermes }: Awaited<ReturnType<typeof open>>) => {
    hermes.session('s').recordTurn({
      messages: [
        { role: 'user', text: 'hello' },
        { role: 'assistant', text: 'hi' },
      ],
    })
    await hermes.settled()
  }

  it('is unknown in a home without a sign of life, and then nothing runs', async () => {
    const { curator, isDue } = await open(inMemoryBackend(), {}, {})
    await isDue()
    expect(await curator.maybeRun()).toEqual({ ran: false, reason: 'idle-unknown' })
    expect(unwrap(await curator.status()).idleMs).toBeUndefined()
  })

  it('counts from the last step of this process', async () => {
    const home = await open(inMemoryBackend(), {}, {})
    await home.isDue()
    await say(home)
    home.clock.advance(HOUR)
    expect(await home.curator.maybeRun()).toEqual({ ran: false, reason: 'not-idle' })
    expect(unwrap(await home.curator.status()).idleMs).toBe(HOUR - 600_000)
    home.clock.advance(2 * HOUR)
    expect(await home.curator.maybeRun()).toMatchObject({ ran: true })
  })
})

describe("a person's verbs", () => {
  it('pin, unpin, archive, restore, hand over and take back', async () => {
    const { curator } = await open()
    expect(unwrap(await curator.pin('old'))).toEqual({ name: 'old', pinned: true, changed: true })
    expect(unwrap(await curator.pin('old')).changed).toBe(false)
    expect(await curator.archive('old')).toMatchObject({
      ok: false,
      error: { code: 'rejected', message: expect.stringContaining('pinned') },
    })
    expect(unwrap(await curator.status()).pinned).toEqual(['old'])
    expect(unwrap(await curator.run({ dryRun: true })).report.transitioned.map(({ name }) => name)).toEqual(['idle'])
    unwrap(await curator.unpin('old'))
    expect(unwrap(await curator.archive('old', { reason: 'no longer' })).archived).toMatchObject({ name: 'old', reason: 'no longer' })
    unwrap(await curator.restore('old'))

    unwrap(await curator.manage({ skills: ['mine'] }, { allow: ['stale'] }))
    expect(unwrap(await curator.grants()).grants).toMatchObject([{ scope: { skills: ['mine'] }, allow: ['stale'] }])
    expect(unwrap(await curator.status()).counts).toMatchObject({ managed: 4, unmanaged: 0 })
    expect(unwrap(await curator.unmanage({ skills: ['mine'] }))).toEqual([])
    expect(unwrap(await curator.status()).counts).toMatchObject({ managed: 3, unmanaged: 1 })
    expect(await curator.pin('nothing')).toMatchObject({ ok: false, error: { code: 'not_found' } })
  })

  it('neither pins nor counts as its own what a product brought, and counts nothing as its own while that is unknown', async () => {
    const { storage, curator } = await open()
    await writeText(storage, 'skills/.bundled_manifest', 'old:abc\n')
    expect(await curator.pin('old')).toMatchObject({ ok: false, error: { code: 'rejected' } })
    expect(unwrap(await curator.status()).counts).toMatchObject({ managed: 2, unmanaged: 2 })
    await writeText(storage, 'curator/managed.json', '{')
    const status = unwrap(await curator.status())
    expect(status.counts).toMatchObject({ managed: 0, unmanaged: 4 })
    expect(status.problems).toMatchObject([{ code: 'unreadable' }])
  })

  it('prunes nothing that the backup does not hold', async () => {
    const { storage, curator } = await open(inMemoryBackend(), { curator: { backup: { maxFileBytes: 1_000 } } })
    await writeText(storage, 'skills/old/assets/big.txt', 'x'.repeat(2_000))
    unwrap(await curator.archive('old'))
    const before = await pathsIn(storage, 'skills/.archive')
    const pruned = await curator.prune(unwrap(await curator.prunable(0)))
    expect(pruned).toMatchObject({ ok: false, error: { code: 'over_limit', message: expect.stringContaining('big.txt') } })
    expect(await pathsIn(storage, 'skills/.archive')).toEqual(before)
  })
})

describe('beside Python Hermes', () => {
  it('keeps backups, grants and days of use if a rollback of Python replaces the whole skills folder', async () => {
    const home = temporaryFolder()
    const storage = fileSystemBackend(home, { onWarning: () => undefined })
    onTestFinished(() => storage.close())
    const { curator } = await open(storage)
    cpSync(join(home, 'skills'), join(home, 'snapshot-of-python'), { recursive: true })
    const later = unwrap(await curator.backup('later'))
    unwrap(await curator.manage({ skills: ['mine'] }))
    await writeText(storage, 'skills/fresh/SKILL.md', 'changed since')

    rmSync(join(home, 'skills'), { recursive: true })
    renameSync(join(home, 'snapshot-of-python'), join(home, 'skills'))

    expect(unwrap(await curator.backups()).backups.map(({ id }) => id)).toEqual([later.id])
    expect(unwrap(await curator.grants()).grants).toMatchObject([{ scope: { skills: ['mine'] } }])
    expect(await readText(storage, 'skills/fresh/SKILL.md')).toBe(skillText('fresh'))
    expect(unwrap(await curator.rollback(later.id)).id).toBe(later.id)
  })
})

describe('merging', () => {
  const PAIR = { 'pr-triage-one': { idleDays: 1 }, 'pr-triage-two': { idleDays: 1 } }
  const asked: string[] = []
  const model: HostModel = async ({ messages }) => {
    asked.push(messages[0]?.content ?? '')
    return [
      'They belong together.',
      '```yaml',
      'consolidations:',
      '  - { from: pr-triage-two, into: pr-triage-one, reason: the same task, method: merge }',
      'prunings: []',
      'umbrellas:',
      '  - name: pr-triage-one',
      '    content: |',
      ...skillText('pr-triage-one')
        .replace('Do it.', 'Do it. Does pr-triage-one. Does pr-triage-two.')
        .split('\n')
        .map((line) => `      ${line}`),
      '```',
    ].join('\n')
  }
  const gate: HermesOptions['gate'] = async () => ok({ approved: true, reason: 'yes', origin: 'assistant' })

  it('is off unless asked for, and asks the model for reviews if there is no other', async () => {
    asked.length = 0
    const { curator } = await open(inMemoryBackend(), { gate, review: { model } }, PAIR)
    expect(unwrap(await curator.run())).not.toHaveProperty('consolidation')
    expect(asked).toEqual([])
    expect(unwrap(await curator.run({ consolidate: true })).consolidation).toMatchObject({ calls: 1 })
  })

  it('says what it cost, in its event and in the ledger', async () => {
    const usage = { inputTokens: 900, cachedInputTokens: 100, outputTokens: 90 }
    const counting: HostModel = async (request) => ({ text: String(await model(request)), usage, model: 'small-1' })
    const { hermes, curator, events } = await open(inMemoryBackend(), { gate, curator: { model: counting, consolidate: true } }, PAIR)
    unwrap(await curator.run())
    const cost = { model: 'small-1', calls: 1, ...usage, estimated: false }
    expect(events).toMatchObject([{ type: 'curator-finished', cost }])
    expect(unwrap(await hermes.journal.list({ withCost: true }))).toMatchObject([
      { actor: 'curator', kind: 'curator-finished', reason: 'Skills merged: 1, archived without a merge: 0.', cost },
    ])
    const written = unwrap(await hermes.journal.list()).filter(({ target, op }) => target === 'skill' && op?.action === 'edit')
    expect(written.map((record) => record.model)).toEqual(['small-1'])
    expect(await hermes.usageStore().get('pr-triage-one')).toMatchObject({ patchedByModel: 'small-1' })
  })

  it('is cancelled when Hermes is closed, also if the model ignores its signal', async () => {
    let ask: () => void = () => {}
    const isAsked = new Promise<void>((resolve) => {
      ask = resolve
    })
    const signals: AbortSignal[] = []
    const hanging: HostModel = ({ signal }) => {
      signals.push(signal)
      ask()
      return new Promise(() => {})
    }
    const outliving: StorageBackend = { ...inMemoryBackend(), close: async () => {} }
    const { hermes, curator } = await open(outliving, { gate, curator: { model: hanging, consolidate: true } }, PAIR)
    const run = curator.run()
    await isAsked
    await hermes.close()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    expect(unwrap(await run).consolidation).toMatchObject({ stopped: 'aborted', consolidated: [] })
  })

  it('needs a model: asked for it is refused, configured it is a problem of a run that is otherwise done', async () => {
    const { curator } = await open(inMemoryBackend(), { curator: { consolidate: true } })
    expect(await curator.run({ consolidate: true })).toMatchObject({ ok: false, error: { code: 'invalid' } })
    expect(unwrap(await curator.run())).toMatchObject({ report: { transitioned: [{}, {}] }, problems: [{ code: 'invalid' }] })
  })
})

describe('options', () => {
  it.each([
    [{ archiveAfterDays: 'always' }, /'curator\.archiveAfterDays': must be a number of days, 1 or more, or 'never'/],
    [{ staleAfterDays: 0 }, /'curator\.staleAfterDays': must be a number of days, 1 or more/],
    [{ backup: { retainWeeks: 0 } }, /'curator\.backup\.retainWeeks'/],
    [{ countBy: 'weeks' }, /'curator\.countBy'/],
    [{ model: 'gpt' }, /'curator\.model': must be a function/],
    [{ everyWeek: true }, /'curator'.*everyWeek/],
  ])('%j is refused with a TypeError that names it', (curator, message) => {
    const options = JSON.parse(JSON.stringify({ curator }))
    expect(() => createHermes({ storage: inMemoryBackend(), ...options })).toThrow(message)
    expect(() => createHermes({ storage: inMemoryBackend(), ...options })).toThrow(TypeError)
  })
})

/** No method of `hermes.curator` rejects or throws, whatever it is called with and whatever the clock does. */
const WRONG: readonly unknown[] = [undefined, null, 5, true, '', {}, [], [undefined], { skills: 'deploy' }, Symbol('s'), () => undefined]

const settlesWithAnError = async (call: () => unknown): Promise<void> => {
  const answer: unknown = await call()
  if (typeof answer !== 'object' || answer === null) throw new Error('an answer is an object')
  if ('ok' in answer && answer.ok === true) return
  if ('error' in answer) expect(HermesError.isInstance(answer.error)).toBe(true)
}

describe('a verb of hermes.curator', () => {
  const verbs = Object.keys(createHermes({ storage: inMemoryBackend() }).curator)

  it.each(verbs)('%s answers every wrong argument with a result', async (verb) => {
    const hermes = createHermes({ storage: inMemoryBackend() })
    const call: unknown = Reflect.get(hermes.curator, verb)
    if (typeof call !== 'function') throw new Error(`${verb} is a function`)
    for (const first of WRONG) for (const second of WRONG) await settlesWithAnError(() => call(first, second))
    await settlesWithAnError(() => call())
    await hermes.settled()
  })

  it.each([
    ['archive', [undefined]],
    ['restore', [7]],
    ['pin', [null]],
    ['manage', [{ skills: 'deploy' }]],
    ['manage', []],
    ['rollback', [5]],
    ['backup', [null]],
    ['prune', [undefined]],
    ['prunable', ['90']],
  ])('%s says which argument is wrong', async (verb, given) => {
    const hermes = createHermes({ storage: inMemoryBackend() })
    const call: unknown = Reflect.get(hermes.curator, verb)
    if (typeof call !== 'function') throw new Error(`${verb} is a function`)
    expect(await call(...given)).toMatchObject({
      ok: false,
      error: { code: 'invalid', message: expect.stringMatching(new RegExp(`hermes\\.curator\\.${verb}\\(\\).*argument 1`)) },
    })
  })

  it.each(verbs)('%s answers with a result if the clock throws', async (verb) => {
    const events: HermesEvent[] = []
    let broken = false
    const clock = () => {
      if (broken) throw new Error('no time')
      return systemClock()
    }
    const hermes = createHermes({ storage: inMemoryBackend(), clock, onEvent: (event) => events.push(event) })
    broken = true
    const call: unknown = Reflect.get(hermes.curator, verb)
    if (typeof call !== 'function') throw new Error(`${verb} is a function`)
    await settlesWithAnError(() => call(verb === 'prune' ? [] : verb.endsWith('manage') ? { all: true } : undefined))
    await hermes.settled()
  })

  it('tells a throwing clock as the failure of a run', async () => {
    const hermes = createHermes({
      storage: inMemoryBackend(),
      clock: () => {
        throw new Error('no time')
      },
    })
    expect(await hermes.curator.maybeRun({ idleMs: 1 })).toMatchObject({
      ran: false,
      reason: 'failed',
      error: { message: expect.stringContaining('no time') },
    })
    expect(await hermes.curator.status()).toMatchObject({ ok: false, error: { message: expect.stringContaining('no time') } })
  })
})
