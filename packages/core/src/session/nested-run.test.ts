import { describe, expect, it } from 'vitest'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { isAskedBy, relateToStep, type WaitingStep } from './nested-run.ts'

const user = (text: string): TurnMessage => ({ role: 'user', text })
const assistant = (text: string, ...toolNames: readonly string[]): TurnMessage => ({ role: 'assistant', text, toolNames })
const result = (toolName: string): TurnMessage => ({ role: 'tool', text: '42', toolNames: [toolName] })
const summary: TurnMessage = { role: 'user', text: 'Summary of what was said.', outside: true }

const QUESTION = 'I live in Mars'

const waiting = (said: readonly string[], more: Partial<WaitingStep> = {}): WaitingStep => ({
  said,
  toolNames: ['research'],
  argumentTexts: [QUESTION],
  complete: true,
  nested: false,
  ...more,
})

const first = waiting(['Delegate please'])
const later = waiting(['Hello', 'Delegate please'])
const history = [user('Hello'), assistant('Hi.')]

describe('relateToStep', () => {
  it.each<readonly [string, WaitingStep, readonly TurnMessage[]]>([
    ['the result of the tool', first, [user('Delegate please'), assistant('', 'research'), result('research')]],
    ['the result, behind the history', later, [...history, user('Delegate please'), assistant('', 'research'), result('research')]],
    ['the result, in a window without history', later, [user('Delegate please'), assistant('', 'research'), result('research')]],
    ['the result, where a summary replaced the user', later, [summary, assistant('', 'research'), result('research')]],
    ['the same prompt while the call is under way', { ...first, complete: false }, [user('Delegate please')]],
    ['the same prompt again after the tool failed', first, [user('Delegate please')]],
    ['the same history again, though the words are an argument', waiting(['Hello', QUESTION]), [...history, user(QUESTION)]],
    ['a retry of words that are an argument', waiting([QUESTION], { complete: false }), [user(QUESTION)]],
  ])('continues with %s', (_what, step, prompt) => {
    expect(relateToStep(step, prompt)).toBe('continues')
  })

  it.each<readonly [string, WaitingStep, readonly TurnMessage[]]>([
    ['asks what the model wrote', first, [user(QUESTION)]],
    ['asks it in a template', first, [user(`Research this: ${QUESTION}. Be brief.`)]],
    ['asks it behind the conversation', first, [user('Delegate please'), user(QUESTION)]],
    ['goes on with a tool of its own', first, [user(QUESTION), assistant('', 'lookup'), result('lookup')]],
    ['shows nothing of a host’s history', later, [user('Summarise this page: …')]],
    ['has no words of a user', first, [{ role: 'user', text: 'A page', outside: true }]],
    ['was handed the user’s very words, which the host’s history precedes', waiting(['Hello', QUESTION]), [user(QUESTION)]],
    ['was handed the user’s very words, and they are the first', waiting([QUESTION]), [user(QUESTION)]],
  ])('is nested where a prompt %s', (_what, step, prompt) => {
    expect(relateToStep(step, prompt)).toBe('nested')
  })

  it.each<readonly [string, WaitingStep, readonly TurnMessage[]]>([
    ['next message of a host without history whose tool was abandoned', first, [user('Never mind. What time is it?')]],
    ['next message behind an abandoned tool', later, [...history, user('Delegate please'), user('Never mind.')]],
    ['next message that mentions the argument', later, [...history, user('Delegate please'), user(`No: ${QUESTION}, as I said.`)]],
    ['next message where the host dropped the abandoned one', later, [...history, user('What time is it?')]],
    ['other request at the same time', later, [...history, user('And meanwhile?')]],
    ['short message that holds a short argument', waiting(['Go'], { argumentTexts: ['go'] }), [user('Let us go on')]],
  ])('stands apart: the %s', (_what, step, prompt) => {
    expect(relateToStep(step, prompt)).toBe('apart')
  })
})

describe('isAskedBy', () => {
  it.each<readonly [string, WaitingStep, string, boolean]>([
    ['a question that the model wrote', first, QUESTION, true],
    ['the same in a template', first, `Research this: ${QUESTION}`, true],
    ['the same words that the user wrote', waiting([QUESTION]), QUESTION, false],
    ['other words', later, 'Summarise this page: …', false],
  ])('%s', (_what, step, text, asked) => {
    expect(isAskedBy(step, [user(text)])).toBe(asked)
  })
})
