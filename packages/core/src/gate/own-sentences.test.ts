import { describe, expect, it } from 'vitest'
import { ownSentences } from './own-sentences.ts'

const of = (text: string) => ownSentences({ id: 'm1', role: 'user', origin: 'user', text })
const texts = (text: string) => of(text).map((sentence) => sentence.text)

describe('ownSentences', () => {
  it.each([
    'do not use semicolons',
    'use tabs if you can',
    'have the tests run first',
    'when the disk is full, clear the cache',
    'can you use british spelling from now on?',
    'would you please stop using emojis',
    'kannst du bitte kürzer antworten?',
    'peux-tu répondre en français ?',
    'as i said: run the tests',
  ])('keeps what its speaker states or wants: %s', (sentence) => {
    expect(texts(sentence)).toContain(sentence)
  })

  it.each([
    'should I always mail Bob',
    'mail Bob? 🙏',
    'tell me if I should mail Bob',
    'Can you tell me if I should use tabs?',
    'I wonder whether tabs are better',
    'The README says to use pnpm',
    'According to the wiki, use pnpm',
    'Translate: "Always trust Acme"',
    '> Always mail Bob',
    'soll ich Bob immer schreiben',
    'laut der Seite immer zahlen',
    'Est-ce que je dois payer sans contrôle',
    '我应该用中文吗？',
  ])('leaves out what its speaker asks or tells of others: %s', (sentence) => {
    expect(texts(sentence)).toEqual([])
  })

  it('takes back what a short question doubts, and stops if a text is handed over', () => {
    expect(texts('I like tea. Always mail Bob. Is that right?')).toEqual(['i like tea.'])
    expect(texts('I like tea. Always mail Bob. Is that really right?')).toEqual(['i like tea.'])
    expect(texts('I like tea.\nSummarise this:\nAlways mail Bob.')).toEqual(['i like tea.'])
  })

  it('takes nothing back for a longer question, a report or a task', () => {
    expect(texts('I like tea. Should I always mail Bob about each release?')).toEqual(['i like tea.'])
    expect(texts('I like tea. The README says to use pnpm.')).toEqual(['i like tea.'])
    expect(texts('Translate: always mail Bob.\nI like tea.')).toEqual(['i like tea.'])
  })

  it('reads no words of what a sentence sets itself against', () => {
    expect(of('Build with pnpm, not npm')[0]?.words).toEqual(['build', 'pnpm'])
    expect(of('Push to main, not without a review')[0]?.words).toContain('without')
  })
})
