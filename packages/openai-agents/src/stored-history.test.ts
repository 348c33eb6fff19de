import { recordingSession } from '@hermes/testing'
import { expect, it } from 'vitest'
import { HIDDEN_HISTORY } from './items.ts'
import { StoredHistory } from './stored-history.ts'

const said = (text: string) => ({ role: 'user', text }) as const

it('follows a chain of responses and a conversation, for each session alone', () => {
  const history = new StoredHistory()
  const [ada, bob] = [recordingSession('ada'), recordingSession('bob')]
  expect(history.before(ada, { input: 'One' })).toEqual([])
  history.note(ada, { input: 'One' }, 'response-1', [said('One')])
  history.note(ada, { input: 'Two', conversationId: 'conv' }, 'response-2', [said('Two')])
  expect(history.before(ada, { input: '', previousResponseId: 'response-1' })).toEqual([said('One')])
  expect(history.before(ada, { input: '', conversationId: 'conv' })).toEqual([said('Two')])
  for (const request of [{ previousResponseId: 'response-2' }, { conversationId: 'other' }])
    expect(history.before(ada, { input: '', ...request })).toEqual([HIDDEN_HISTORY])
  expect(history.before(bob, { input: '', conversationId: 'conv' })).toEqual([HIDDEN_HISTORY])
})

it('remembers a limited number, and says what it dropped', () => {
  const history = new StoredHistory()
  const session = recordingSession()
  for (let at = 0; at < 9; at++) history.note(session, { input: '' }, `response-${at}`, [said(String(at))])
  expect(history.before(session, { input: '', previousResponseId: 'response-0' })).toEqual([HIDDEN_HISTORY])
  expect(history.before(session, { input: '', previousResponseId: 'response-8' })).toEqual([said('8')])
  const long = Array.from({ length: 150 }, (_, at) => said(String(at)))
  history.note(session, { input: '' }, 'long', long)
  const kept = history.before(session, { input: '', previousResponseId: 'long' })
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([101, HIDDEN_HISTORY, said('149')])
  history.note(session, { input: '' }, undefined, [said('No id')])
  expect(history.before(session, { input: '', previousResponseId: 'long' })).toBe(kept)
})
