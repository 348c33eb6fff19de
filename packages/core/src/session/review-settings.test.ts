import { describe, expect, it } from 'vitest'
import { dueReview, turnToRead } from '../../test/support/due-review.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { reviewMode } from './plan-passes.ts'
import { kindOf, kindOfPass, type ReviewSettings } from './review-request.ts'

describe('the kind of a review', () => {
  it.each([
    [{ words: true, everything: false, skills: false }, 'memory'],
    [{ words: false, everything: true, skills: false }, 'memory'],
    [{ words: false, everything: false, skills: true }, 'skills'],
    [{ words: true, everything: false, skills: true }, 'both'],
    [{ words: false, everything: true, skills: true }, 'both'],
  ] as const)('of %o is %s', (scope, kind) => {
    expect(kindOf(dueReview({ scope }))).toBe(kind)
  })

  it('of a pass about nothing that is due is memory', () => {
    expect(kindOfPass({ memory: false, skills: false })).toBe('memory')
  })
})

describe('the mode of a review', () => {
  const user = (text: string): TurnMessage => ({ role: 'user', text })
  const settings: ReviewSettings = {
    mode: 'replay',
    maxInputTokens: 10,
    maxOutputTokens: 1,
    maxSkillOutputTokens: 1,
    timeoutMs: 1,
    maxProposals: 1,
  }
  const due = (unread: readonly TurnMessage[], shown: readonly TurnMessage[]) =>
    dueReview({ conversation: unread.map((message) => turnToRead('one', message)), shown })
  const said = [user('abcdefghij')]

  it.each([
    ['replay if the prompt shows the unread turns and fits the budget', {}, said, said, 'replay'],
    ['replay if the prompt fills the budget', {}, [], [user('a'.repeat(20)), user('b'.repeat(20))], 'replay'],
    ['digest if the prompt is one character longer', {}, [], [user('a'.repeat(20)), user('b'.repeat(21))], 'digest'],
    ['digest if the prompt lacks a turn', {}, [...said, user('gone')], said, 'digest'],
    ['digest if the settings say so', { mode: 'digest' }, said, said, 'digest'],
    ['digest for another model than that of the host', { model: async () => '' }, said, said, 'digest'],
  ] as const)('is %s', (_, change, unread, shown, mode) => {
    expect(reviewMode({ ...settings, ...change }, due(unread, shown))).toBe(mode)
  })
})
