import { describe, expect, it } from 'vitest'
import type { SkillProposal } from '../proposal/review-proposal.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { DisposedProposal } from '../review/review-outcome.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { SkillOp, SkillOpOutcome } from '../skills/skill-op.ts'
import type { SkillReader } from '../skills/skill-reader.ts'
import { SkillStore } from '../skills/skill-store.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { UsageStore } from '../usage/usage-store.ts'
import type { BackgroundTasks } from './background-tasks.ts'
import type { LazySession } from './lazy-session.ts'
import type { SessionContext } from './session-context.ts'
import type { SessionState } from './session-state.ts'
import { createSkillEffects } from './skill-effects.ts'
import { SkillCounts } from './tool-calls.ts'

const text = (name: string, description: string) => `---\nname: ${name}\ndescription: ${description}\n---\n\n1. Build.\n`
const RELEASE = 'Release packages with the changelog first, then publish the packages.'
const twin = (name: string): SkillOp => ({ action: 'create', name, content: text(name, RELEASE) })

type Documents = Readonly<Record<string, string>>

const write = async (storage: StorageBackend, documents: Documents) => {
  for (const [path, content] of Object.entries(documents)) await updateDocument(storage, path, () => new TextEncoder().encode(content))
  return storage
}

interface Given {
  readonly dispose?: (proposal: SkillProposal) => Promise<Result<DisposedProposal>>
  readonly inTime?: () => Promise<undefined>
  /** Documents of the home and of a storage that it shares. */
  readonly own?: Documents
  readonly shared?: Documents
  readonly listShared?: StorageBackend['list']
  readonly reader?: Partial<SkillReader>
}

const applied = (action: SkillOp['action'], name: string): Result<DisposedProposal> => {
  const outcome: SkillOpOutcome = { target: 'skill', action, name, path: name, filePath: 'SKILL.md', message: 'Done.' }
  return ok({ kind: 'applied', outcome } as DisposedProposal)
}

const setUp = async ({ own = {}, shared = {}, listShared, reader = {}, ...given }: Given = {}) => {
  const storage = await write(inMemoryBackend(), own)
  const sharing = await write(inMemoryBackend(), shared)
  const from = { ...sharing, ...(listShared ? { list: listShared } : {}) }
  const all = new SkillStore({ storage }).withShared([from])
  const noted: string[] = []
  const proposed: SkillProposal[] = []
  const usage = new UsageStore({ storage })
  const context = {
    home: {
      skills: { reader: { list: () => all.list(), view: all.view.bind(all), ...reader } },
      inOneUpdate: async () => ok(undefined),
    },
    usage,
    toolInTime: given.inTime ?? ((_: string, work: Promise<unknown>) => work),
  } as unknown as SessionContext
  const state = {
    noteSkills: ({ loadedSkill }: { readonly loadedSkill?: string }) => noted.push(`loaded ${loadedSkill}`),
  } as unknown as SessionState
  const open = { whenReady: (note: (state: SessionState) => void) => note(state) } as unknown as LazySession
  const counts = {
    count: (name: string, events: readonly string[]) => noted.push(`count ${name}: ${events.join()}`),
    noteChanged: (name: string) => noted.push(`changed ${name}`),
  } as unknown as SkillCounts
  const dispose = async (proposal: SkillProposal) => {
    proposed.push(proposal)
    const { op } = proposal
    return applied(op.action, `${op.name} as stored`)
  }
  const effects = createSkillEffects(context, open, counts, given.dispose ?? dispose)
  const manage = (op: SkillOp, createAnyway = false) => effects.manage(op, { createAnyway })
  return { effects, manage, usage, noted, proposed }
}

const denied = (path: string) =>
  new HermesError('unreadable', `Could not read '${path}' (EACCES: permission denied, open '/home/me/${path}').`, {
    details: { path },
    cause: new Error('EACCES'),
  })

describe('the list of skills', () => {
  it('has the state of each, and marks shared ones', async () => {
    const { effects, usage } = await setUp({
      own: { 'skills/old/SKILL.md': text('old', 'Old.'), 'skills/ops/new/SKILL.md': text('new', 'New.') },
      shared: { 'skills/deploy/SKILL.md': text('deploy', 'Deploys.') },
    })
    for (const name of ['old', 'deploy']) await usage.setState(name, 'stale')
    expect(await effects.list()).toMatchObject({
      ok: true,
      value: {
        skills: [
          { name: 'old', description: 'Old.', category: undefined, state: 'stale', shared: false },
          { name: 'new', description: 'New.', category: 'ops', state: 'active', shared: false },
          { name: 'deploy', description: 'Deploys.', category: undefined, state: 'active', shared: true },
        ],
        problems: [],
      },
    })
  })

  it('says what cannot be read, without the words of the operating system', async () => {
    const cause = new Error('EACCES /home/ann/skills')
    const details = [{ path: 'skills/a/SKILL.md' }, { path: 'skills/b/SKILL.md', sharedFrom: 0 }, { sharedFrom: 0 }]
    const problems = details.map((each) => new HermesError('unreadable', `Denied: ${cause.message}`, { cause, details: each }))
    const listing = { skills: [], problems: [...problems, new HermesError('unreadable', 'No front matter.')] }
    const listed = await (await setUp({ reader: { list: async () => ok(listing) } })).effects.list()
    expect(listed.ok && listed.value.problems).toEqual([
      "'skills/a/SKILL.md' cannot be read. Tell the user to check that file and its permissions.",
      "Among the shared skills, 'skills/b/SKILL.md' cannot be read. Tell the user to check that file and its permissions.",
      'Some shared skills cannot be read, so they are left out. Tell the user.',
      'No front matter.',
    ])
  })

  it('fails if the skills cannot be read at all', async () => {
    const broken = err(denied('skills'))
    expect(await (await setUp({ reader: { list: async () => broken } })).effects.list()).toBe(broken)
  })
})

describe('a skill that is shown', () => {
  const documents = { 'skills/ship/SKILL.md': text('shipping', 'Ships.'), 'skills/ship/references/api.md': 'An API.' }

  it.each([
    ['the whole skill', undefined, ['count shipping: view,use', 'loaded shipping']],
    ['its SKILL.md', 'SKILL.md', ['count shipping: view,use', 'loaded shipping']],
    ['another file of it', 'references/api.md', ['count shipping: view', 'loaded shipping']],
  ])('counts under its own name: %s', async (_, filePath, wanted) => {
    const { effects, noted } = await setUp({ own: documents })
    const viewed = await effects.view('ship', filePath)
    if (!viewed.ok) throw viewed.error
    effects.noteShown(viewed.value)
    expect(noted).toEqual(wanted)
  })
})

describe('a new skill', () => {
  const release = { 'skills/dev/release/SKILL.md': text('release-packages', RELEASE) }
  const publish = { 'skills/publish/SKILL.md': text('publish-packages', RELEASE) }

  it.each([
    ['the name of a skill', 'release-packages', { ...release, ...publish }, {}],
    ['the folder of a skill', 'release', { ...release, ...publish }, {}],
    // It replaces the shared one on purpose.
    ['the name of a shared skill', 'release-packages', {}, release],
  ])('is proposed as it is if it has %s: the store refuses what is taken', async (_, name, own, shared) => {
    const { manage, proposed } = await setUp({ own, shared })
    expect((await manage(twin(name))).kind).toBe('applied')
    expect(proposed).toMatchObject([{ target: 'skill', op: twin(name), score: 1 }])
  })

  it('is proposed if the others cannot be listed', async () => {
    const { manage, proposed } = await setUp({ reader: { list: async () => err(denied('skills')) } })
    expect((await manage(twin('release'))).kind).toBe('applied')
    expect(proposed).toHaveLength(1)
  })

  it('is the only change that is compared', async () => {
    const { manage, proposed } = await setUp({ own: release })
    const edit: SkillOp = { action: 'edit', name: 'packages-release', content: text('packages-release', RELEASE) }
    expect((await manage(edit)).kind).toBe('applied')
    expect(proposed).toMatchObject([{ op: edit }])
  })
})

describe('a change of a skill', () => {
  const patch: SkillOp = { action: 'patch', name: 'deploy', oldText: 'Build', newText: 'Compile' }

  it.each<[string, Result<unknown>, unknown]>([
    ['could not be judged', err(denied('journal')), { kind: 'refused', code: 'unreadable' }],
    ['waits for a person', ok({ kind: 'held', reason: 'ask', pendingId: 'p1' }), { kind: 'held', reason: 'ask', pendingId: 'p1' }],
    ['was refused', ok({ kind: 'rejected', reason: 'no' }), { kind: 'refused', code: 'rejected', message: 'no' }],
  ])('that %s is not noted', async (_, disposed, wanted) => {
    const { manage, noted } = await setUp({ dispose: async () => disposed as Result<DisposedProposal> })
    expect(await manage(patch)).toMatchObject(wanted as object)
    expect(noted).toEqual([])
  })
})

it('answers for a storage that does not', async () => {
  const { effects, manage } = await setUp({ inTime: async () => undefined })
  const late = { ok: false, error: { code: 'timeout' } }
  expect(await effects.list()).toMatchObject(late)
  expect(await effects.view('ship')).toMatchObject(late)
  expect(await manage(twin('release'))).toMatchObject({ kind: 'refused', code: 'timeout' })
})

describe('skill counts', () => {
  /** `null`: skills are switched off. */
  const setUp = (given: UsageStore | null = new UsageStore({ storage: inMemoryBackend(), clock: () => 1 })) => {
    const usage = given ?? undefined
    const running: Promise<void>[] = []
    const effects: (() => void)[] = []
    const failures: string[] = []
    const uses: string[] = []
    const state = {
      loadedInTurn: [] as readonly string[],
      noteSkills: ({ loadedInTurn: change, failedUses = [] }: Parameters<SessionState['noteSkills']>[0]) => {
        if (change && 'add' in change) state.loadedInTurn = [...state.loadedInTurn, change.add]
        else if (change) state.loadedInTurn = state.loadedInTurn.filter((name) => !change.remove.includes(name))
        for (const { skill, tool } of failedUses) uses.push(`${skill} ${tool}`)
      },
    }
    const tasks = { run: (work: () => Promise<void>) => running.push(work()) } as unknown as BackgroundTasks
    const counts = new SkillCounts(
      {
        usage,
        tasks,
        offeredAs: new Map([['skill_view', 'skill_view']]),
        failed: (operation, { code }) => failures.push(`${operation}: ${code}`),
        skillFailed: (name, { failureCount }) => failures.push(`${name} failed ${failureCount}`),
      },
      { whenReady: (effect) => effects.push(() => effect(state as unknown as SessionState)) },
    )
    const loaded = () => {
      for (const effect of effects.splice(0)) effect()
    }
    /** Views, uses and successes. */
    const counted = async (name: string) => {
      await Promise.all(running)
      const { viewCount, useCount, successCount } = (await usage?.get(name)) ?? {}
      return [viewCount, useCount, successCount]
    }
    return { counts, loaded, counted, failures, uses, state }
  }

  describe('the counts of a skill', () => {
    it('have a success for each turn that loaded it, once', async () => {
      const { counts, loaded, counted, failures, state } = setUp()
      counts.count('deploy', ['view', 'use'])
      counts.count('other', ['view'])
      loaded()
      counts.turnEnded([], state)
      counts.turnEnded([], state)
      loaded()
      counts.turnEnded([], state)
      expect(await counted('deploy')).toEqual([1, 1, 1])
      expect(await counted('other')).toEqual([1, 0, 0])
      expect(failures).toEqual([])
    })

    it('have a failure for a turn in which a tool failed, unless it was one of ours', async () => {
      const { counts, loaded, counted, failures, uses, state } = setUp()
      const result = (tool: string, failed: boolean): TurnMessage => ({ role: 'tool', text: 'x', toolNames: [tool], failed })
      const play = (...messages: readonly TurnMessage[]) => {
        counts.count('deploy', ['use'])
        loaded()
        uses.length = 0
        counts.turnEnded(messages, state)
        return uses
      }
      expect(play(result('bash', false), result('skill_view', true))).toEqual([])
      expect(play(result('bash', true), result('curl', true))).toEqual(['deploy bash'])
      expect(await counted('deploy')).toEqual([0, 2, 1])
      expect(failures).toEqual(['deploy failed 1'])
    })

    it('have none for a turn that changed it, or that never ended', async () => {
      const { counts, loaded, counted, state } = setUp()
      for (const name of ['changed', 'lost']) counts.count(name, ['use'])
      counts.noteChanged('changed')
      loaded()
      counts.turnBegan(state)
      counts.turnEnded([], state)
      counts.count('changed', ['use'])
      counts.noteChanged('changed')
      loaded()
      counts.turnEnded([], state)
      expect(await counted('changed')).toEqual([0, 2, 0])
      expect(await counted('lost')).toEqual([0, 1, 0])
    })
  })
})
