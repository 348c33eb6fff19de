import { describe, expect, it } from 'vitest'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { newestTurns, newTurnKey, type TurnState } from './turn.ts'

const user = (text: string): TurnMessage => ({ role: 'user', text })
const assistant = (text: string): TurnMessage => ({ role: 'assistant', text })
const toolResult: TurnMessage = { role: 'tool', text: '42', toolNames: ['answer'] }

const fresh: TurnState = { turnKey: undefined, turnOpen: false, userTurns: 0 }

const after = (prompt: readonly TurnMessage[], options: { readonly open: boolean; readonly turns?: number }): TurnState => ({
  turnKey: newTurnKey(fresh, prompt),
  turnOpen: options.open,
  userTurns: options.turns ?? 1,
})

describe('newTurnKey', () => {
  it('sees a turn where the prompt ends with the user', () => {
    expect(newTurnKey(fresh, [user('hi')])).toBeDefined()
  })

  it('sees none in an empty prompt, behind a tool result or behind the assistant', () => {
    expect(newTurnKey(fresh, [])).toBeUndefined()
    expect(newTurnKey(fresh, [user('hi'), assistant('…'), toolResult])).toBeUndefined()
    expect(newTurnKey(fresh, [user('hi'), assistant('hello')])).toBeUndefined()
  })

  it('takes the same prompt for a retry while the turn is open', () => {
    const prompt = [user('hi')]
    expect(newTurnKey(after(prompt, { open: true }), prompt)).toBeUndefined()
  })

  it('takes the same prompt with history for a regeneration once the turn has closed', () => {
    const prompt = [user('hi'), assistant('hello'), user('yes')]
    expect(newTurnKey(after(prompt, { open: false, turns: 2 }), prompt)).toBeUndefined()
  })

  it('takes the first prompt once more for a regeneration', () => {
    const prompt = [user('hi')]
    expect(newTurnKey(after(prompt, { open: false, turns: 1 }), prompt)).toBeUndefined()
  })

  it('counts the same words again where the host keeps no history', () => {
    const prompt = [user('yes')]
    expect(newTurnKey(after(prompt, { open: false, turns: 2 }), prompt)).toBeDefined()
  })

  it('counts the same words again when the history has grown', () => {
    const first = [user('yes')]
    expect(newTurnKey(after(first, { open: false }), [...first, assistant('ok'), user('yes')])).toBeDefined()
  })

  it('begins the next turn although the last one never closed', () => {
    const first = [user('go')]
    expect(newTurnKey(after(first, { open: true }), [...first, assistant('working'), user('and now?')])).toBeDefined()
  })

  it('looks past a file that is attached to the user message', () => {
    const file: TurnMessage = { role: 'user', text: '[file report.pdf]', outside: true }
    const key = newTurnKey(fresh, [user('read this'), file])
    expect(key).toBe(newTurnKey(fresh, [user('read this')]))
  })
})

describe('newestTurns', () => {
  it('starts at the last message of the user', () => {
    expect(newestTurns([user('a'), assistant('b'), user('c'), assistant('d'), toolResult], 1)).toEqual([
      user('c'),
      assistant('d'),
      toolResult,
    ])
  })

  it('starts at the turn that is asked for, or at the first', () => {
    const said = [assistant('hi'), user('a'), assistant('b'), user('c')]
    expect(newestTurns(said, 2)).toEqual([user('a'), assistant('b'), user('c')])
    expect(newestTurns(said, 9)).toEqual(said)
  })

  it('is everything where the user said nothing', () => {
    expect(newestTurns([assistant('b')], 1)).toEqual([assistant('b')])
  })
})
