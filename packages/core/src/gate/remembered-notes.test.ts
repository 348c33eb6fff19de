import { describe, expect, it } from 'vitest'
import type { EntryOrigin } from '../memory/memory-op.ts'
import { stampTranscript } from '../proposal/stamp-transcript.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { judgeSkill } from './judge-skill.ts'
import type { GateContext } from './review-gate.ts'

const text = (...lines: readonly string[]) => ['---', 'name: release', 'description: Releases.', '---', '', ...lines, ''].join('\n')

const TALK: readonly TurnMessage[] = [
  { role: 'user', text: 'How do we release?' },
  { role: 'assistant', text: 'I looked at the pipeline and released it.' },
]

type Given = {
  readonly line: string
  readonly notes?: readonly string[]
  readonly origin?: EntryOrigin
  readonly say?: readonly TurnMessage[]
  /** Lines that the skill has already. */
  readonly current?: readonly string[]
} & Partial<Pick<GateContext, 'unread' | 'sight'>>

/** The finding on a skill that says `line`, in a session whose memory has the notes. */
const judge = ({ line, notes = [], origin = 'tool', say = TALK, current, ...more }: Given) => {
  const before = current === undefined ? undefined : text(...current)
  return judgeSkill(
    { target: 'skill', op: { action: 'edit', name: 'release', content: text(...(current ?? []), line) }, rationale: '', score: 1 },
    {
      transcript: stampTranscript(say, new Set()),
      entries: { memory: notes, user: [] },
      origins: { memory: new Map(notes.map((note) => [note, origin])), user: new Map() },
      skill: { current: before },
      unattended: true,
      ...more,
    },
  )
}

describe('a note from outside that memory keeps does not become a skill of the agent in a later session', () => {
  const OUTSIDE = { row: 'outside-rule', origin: 'tool', messageIds: [] }
  const note = 'Purge caches, restart workers.'

  it.each([
    ['repeats the note', { line: 'Purge caches, restart workers.', notes: [note] }],
    ['repeats half of its words', { line: 'Purge caches, inspect dashboards.', notes: [note] }],
    [
      'contains the whole of a short note',
      { line: 'Purge caches before inspecting dashboards, alarms, quotas, invoices.', notes: ['Purge caches.'] },
    ],
    ['repeats one of several notes', { line: 'Purge caches, restart workers.', notes: ['Lunch happens around noon.', note] }],
    [
      'takes nothing but an address from it',
      {
        line: 'Afterwards watch graphs of latency, errors and load at https://a.example/x',
        notes: ['Mirror of the platform team, opened in March: https://a.example/x'],
      },
    ],
    [
      'takes one of two addresses from it',
      { line: 'Compare https://a.example/x and https://b.example/y', notes: ['Mirror: https://b.example/y'] },
    ],
  ] as const)('if it %s', (_, given) => {
    expect(judge(given)).toEqual(OUTSIDE)
  })

  it.each([
    ['shares a single word with the note', { line: 'Purge drafts.', notes: [note] }],
    [
      'shares less than half of the words',
      { line: 'Purge caches, inspect dashboards, alarms.', notes: ['Purge caches, restart workers, drain queues.'] },
    ],
    ['repeats a note of the agent', { line: note, notes: [note], origin: 'assistant' }],
    ['repeats a note of the user', { line: note, notes: [note], origin: 'user' }],
    ['repeats a note that a pass over own words was not shown', { line: note, notes: [note], sight: 'own' }],
    [
      'names an address that the skill already has',
      {
        line: 'Afterwards watch graphs of latency, errors and load at https://a.example/x',
        notes: ['Mirror of the platform team, opened in March: https://a.example/x'],
        current: ['Open https://a.example/x'],
      },
    ],
  ] as const)('unlike one that %s', (_, given) => {
    expect(judge(given)).toEqual({ row: 'agent-note', origin: 'assistant', messageIds: [] })
  })

  it('waits if the notes could not be read, unless the user said it', () => {
    expect(judge({ line: 'Inspect dashboards.', unread: true })).toEqual({ row: 'notes-unread', origin: 'tool', messageIds: [] })
    const say = [{ role: 'user', text: 'Learn the release. Inspect dashboards.' }, ...TALK] as const
    expect(judge({ line: 'Inspect dashboards.', unread: true, say })).toMatchObject({ row: 'user-said', origin: 'user' })
  })

  it("counts as the agent's if the origins of notes are not known", () => {
    const entries = { memory: [note], user: [] }
    const context: GateContext = { transcript: stampTranscript(TALK, new Set()), entries, unattended: true }
    const op = { action: 'create', name: 'release', content: text(note) } as const
    const proposal = { target: 'skill', op, rationale: '', score: 1 } as const
    expect(judgeSkill(proposal, context)).toMatchObject({ row: 'agent-note' })
    const origins = { memory: new Map([[note, 'tool' as const]]), user: new Map() }
    expect(judgeSkill(proposal, { ...context, origins })).toEqual(OUTSIDE)
  })
})

describe('an address that nobody in the conversation named', () => {
  it('is no evidence, and one that a message contains is', () => {
    expect(judge({ line: 'Upload to https://c.example/z' })).toMatchObject({ row: 'no-evidence', origin: 'assistant', messageIds: [] })
    expect(judge({ line: 'Upload to c.example\nThen rest.' })).toMatchObject({ row: 'no-evidence' })
    const say = [...TALK, { role: 'assistant', text: 'It went to https://c.example/z today.' }] as const
    expect(judge({ line: 'Upload to https://c.example/z', say })).toMatchObject({ row: 'agent-note' })
    expect(judge({ line: 'Upload to https://c.example/z\nThen rest.', say })).toMatchObject({ row: 'agent-note' })
  })

  it('may be one that the skill already has', () => {
    const current = ['Upload to https://c.example/z']
    expect(judge({ line: 'Afterwards watch https://c.example/z', current })).toMatchObject({ row: 'agent-note' })
  })
})
