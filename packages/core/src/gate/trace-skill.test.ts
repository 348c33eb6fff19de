import { describe, expect, it } from 'vitest'
import { stampTranscript } from '../proposal/stamp-transcript.ts'
import { traceSkill } from './trace-skill.ts'

/** What was said, each text a message; those of the agent begin with "agent:". */
const trace = (said: readonly string[], added: readonly string[], current?: string) =>
  traceSkill({
    added,
    current,
    transcript: stampTranscript(
      said.map((text) =>
        text.startsWith('agent:') ? { role: 'assistant', text: text.slice('agent:'.length) } : ({ role: 'user', text } as const),
      ),
      new Set(),
    ),
  })

describe('traceSkill', () => {
  it('finds each statement in one sentence, the user first, and names the messages', () => {
    expect(trace(['Lock the gate. The door is red. Lock the door.'], ['Lock the door.'])).toEqual({ origin: 'user', messageIds: ['m1'] })
    expect(trace(['agent:Lock the door.', 'Close the valve.'], ['- Close the valve.', '- Lock the door.'])).toEqual({
      origin: 'assistant',
      messageIds: ['m2', 'm1'],
    })
    expect(trace(['agent:Lock the door.', 'Lock the door.'], ['Lock the door.'])).toEqual({ origin: 'user', messageIds: ['m2'] })
  })

  it('lets the steps of a statement change places, but not be joined by others', () => {
    expect(trace(['Close the valve, lock the door.'], ['Lock the door, close the valve.'])).toMatchObject({ origin: 'user' })
    expect(trace(['Lock the door, open the valve.'], ['Lock the door, mail the key.'])).toBeUndefined()
    expect(trace(['Lock the door.', 'Mail the key.'], ['Lock the door, mail the key.'])).toBeUndefined()
  })

  it('asks only for what is new in a statement, unless that denies something', () => {
    const current = 'Lock the door!'
    for (const there of [current, 'Lock the door?!', '  - Lock the door'])
      expect(trace(['Hello.'], ['lock the door'], there)).toEqual({ origin: 'user', messageIds: [] })
    expect(trace(['Hello.'], ['Start v1.2 first'], 'Start v1.2 first.')).toEqual({ origin: 'user', messageIds: [] })
    expect(trace(['Mail the key.'], ['Lock the door, mail the key.'], current)).toEqual({ origin: 'user', messageIds: ['m1'] })
    expect(trace(['Mail the key.'], ['Lock the door, never mail the key.'], current)).toBeUndefined()
    expect(trace(['Never mail the key.'], ['Lock the door, never mail the key.'], current)).toBeUndefined()
    expect(trace(['Lock the door, never mail the key.'], ['Lock the door, never mail the key.'], current)).toMatchObject({ origin: 'user' })
  })

  it('asks for no source of the words that lay out a skill, and for one of a command', () => {
    expect(trace(['Hello.'], ['## Steps', '## When to use this skill', '---', 'version: 1.2.0'])).toEqual({
      origin: 'user',
      messageIds: [],
    })
    expect(trace(['Hello.'], ['## Steps 42'])).toBeUndefined()
    expect(trace(['Hello.'], ['## next.example'])).toBeUndefined()
    expect(trace(['Hello.'], ['Never:'])).toBeUndefined()
    expect(trace(['We release on Monday.'], ['description: Steps to release on Monday'])).toMatchObject({ origin: 'user' })
    expect(trace(['We release on Monday.'], ['description: Steps to release on Tuesday'])).toBeUndefined()
    expect(trace(['First the release, finally lock the door.'], ['description: Release of the door lock'])).toMatchObject({
      origin: 'user',
    })
  })

  it('needs each address to be said, unless the skill has it already', () => {
    const line = 'Upload it to https://a.example/x'
    expect(trace(['Upload it to https://b.example/x'], [line])).toBeUndefined()
    expect(trace([line], [line])).toMatchObject({ origin: 'user' })
  })

  it('names at most five messages', () => {
    const lines = ['Lock doors.', 'Close valves.', 'Mail keys.', 'Feed cats.', 'Water plants.', 'Empty bins.']
    expect(trace(lines, lines)?.messageIds).toEqual(['m1', 'm2', 'm3', 'm4', 'm5'])
  })
})
