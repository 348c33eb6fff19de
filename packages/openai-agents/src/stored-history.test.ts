import { recordingSession } from '@hermes/testing'
import { expect, it } from 'vitest'
import { HIDDEN_HISTORY } from './items.ts'
import { historyBefore, noteHistory } from './stored-history.ts'

const said = (text: string) => ({ role: 'user', text }) as const

it('follows a chain of responses and a conversation, for each session alone', () => {
  const [ada, bob] = [recordingSession('ada'), recordingSession('bob')]
  expect(historyBefore(ada, { input: 'One' })).toEqual([])
  noteHistory(ada, { input: 'One' }, 'response-1', [said('One')])
  noteHistory(ada, { input: 'Two', conversationId: 'conv' }, 'response-2', [said('Two')])
  expect(historyBefore(ada, { input: '', previousResponseId: 'response-1' })).toEqual([said('One')])
  expect(historyBefore(ada, { input: '', conversationId: 'conv' })).toEqual([said('Two')])
  for (const request of [{ previousResponseId: 'response-2' }, { conversationId: 'other' }])
    expect(historyBefore(ada, { input: '', ...request })).toEqual([HIDDEN_HISTORY])
  expect(historyBefore(bob, { input: '', conversationId: 'conv' })).toEqual([HIDDEN_HISTORY])
})

it('remembers a limited number, and says what it dropped', () => {
  const session = recordingSession()
  for (let at = 0; at < 9; at++) noteHistory(session, { input: '' }, `response-${at}`, [said(String(at))])
  expect(historyBefore(session, { input: '', previousResponseId: 'response-0' })).toEqual([HIDDEN_HISTORY])
  expect(historyBefore(session, { input: '', previousResponseId: 'response-8' })).toEqual([said('8')])
  const long = Array.from({ length: 150 }, (_, at) => said(String(at)))
  noteHistory(session, { input: '' }, 'long', long)
  const kept = historyBefore(session, { input: '', previousResponseId: 'long' })
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([101, HIDDEN_HISTORY, said('149')])
  noteHistory(session, { input: '' }, undefined, [said('No id')])
  expect(historyBefore(session, { input: '', previousResponseId: 'long' })).toBe(kept)
})

it('keeps the conversation that goes on, however many calls of sub-agents are in between', () => {
  const session = recordingSession()
  const conversation = { input: '', conversationId: 'conv' }
  for (let at = 0; at < 20; at++) {
    noteHistory(session, conversation, undefined, [said('Hello')])
    for (let call = 0; call < 5; call++) noteHistory(session, { input: '' }, `response-${at}-${call}`, [])
  }
  expect(historyBefore(session, conversation)).toEqual([said('Hello')])
})
