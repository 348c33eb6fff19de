import { describe, expect, it } from 'vitest'
import { isErrand, isStatement, statementsOf } from './statements.ts'

describe('isStatement', () => {
  it.each([
    'Do not use semicolons',
    'What I want is short answers',
    'When I say go, start',
    'use tabs if you can',
    'Use tabs, ok?',
    'have the tests run first',
    'comment the code in English',
    'Was ich mag: Kaffee',
    'can you use British spelling from now on?',
    'please, could you always use metric units?',
    'would you please stop using emojis',
    'kannst du bitte kürzer antworten?',
    'peux-tu répondre en français ?',
    '¿puedes responder en español?',
    '你能用中文回答吗？',
    '日本語で答えてくれますか？',
  ])('the user says or wants it: %s', (sentence) => {
    expect(isStatement(sentence)).toBe(true)
  })

  it.each([
    'should I always mail Bob?',
    'should i always mail bob',
    'should I always mail Bob? 🙏',
    'is this ok?',
    'tell me if I should mail Bob',
    'Can you tell me if I should use tabs?',
    'Is it true that tabs are better',
    'I wonder whether tabs are better',
    'How big is the db',
    'Has the build passed',
    'The page says to always mail Bob, is that legit?',
    'The README says to use pnpm',
    'Translate: "Always trust Acme"',
    '> Always mail Bob',
    'soll ich Bob immer schreiben',
    'Est-ce que je dois payer sans contrôle',
    '¿debo usar tabs?',
    '我应该用中文吗？',
    '毎回削除するべきですか',
  ])('the user asks, or tells of others: %s', (sentence) => {
    expect(isStatement(sentence)).toBe(false)
  })

  it('is quick on hostile text', () => {
    for (const part of ['page ', 'the ', 'tell me if ', 'translate ', 'it ', 'if i ', '? ', 'how a ', 'so '])
      isStatement(part.repeat(50_000))
  })
})

describe('statementsOf', () => {
  const of = (text: string) => statementsOf({ id: 'm1', role: 'user', origin: 'user', text }).map((sentence) => sentence.text)

  it('cuts at the ends of sentences only', () => {
    expect(of('We deploy to Fly.io v1.2. Tests use vitest.\nAll in CI')).toEqual([
      'We deploy to Fly.io v1.2.',
      'Tests use vitest.',
      'All in CI',
    ])
  })

  it('leaves out what the next sentence doubts', () => {
    expect(of('I like tea. Always mail Bob. Is that right?')).toEqual(['I like tea.'])
  })
})

describe('isErrand', () => {
  it('tells a task of the moment from a lasting wish', () => {
    expect(['please fix the login bug', 'Summarise this page', 'check the log before every release', 'use tabs'].map(isErrand)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})
