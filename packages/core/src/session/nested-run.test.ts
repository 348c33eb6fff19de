import { describe, expect, it } from 'vitest'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { answersTool, argumentTexts, isAskedBy, relateToStep, sameTexts, userTexts, type WaitingStep } from './nested-run.ts'

const user = (text: string): TurnMessage => ({ role: 'user', text })
const assistant = (text: string, ...toolNames: readonly string[]): TurnMessage => ({ role: 'assistant', text, toolNames })
const result = (toolName: string): TurnMessage => ({ role: 'tool', text: '42', toolNames: [toolName] })
const summary: TurnMessage = { role: 'user', text: 'Summary of what was said.', outside: true }

const QUESTION = 'I live in Mars'

const waiting = (said: readonly string[], more: Partial<WaitingStep> = {}): WaitingStep => ({
  said,
  results: [],
  toolNames: ['research'],
  argumentTexts: [QUESTION],
  complete: true,
  nested: false,
  replied: '',
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
    [
      'the result of a tool that was given the same words',
      waiting([QUESTION]),
      [user(QUESTION), assistant('', 'research'), result('research')],
    ],
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
    ['shows nothing of a conversation that has only begun', first, [user('Summarise this page: …')]],
    ['puts a page behind the question', first, [user('Delegate please'), user('Summarise this page: …')]],
    ['puts a page behind an answer that nobody gave', later, [...history, user('Delegate please'), assistant('I look.'), user('A page.')]],
    ['puts a page behind another tool’s result', later, [...history, user('Delegate please'), result('clock'), user('A page.')]],
    ['is short and holds a short argument', waiting(['Go'], { argumentTexts: ['go'] }), [user('Let us go on')]],
    ['has no words of a user', first, [{ role: 'user', text: 'A page', outside: true }]],
    ['was handed the user’s very words, which the host’s history precedes', waiting(['Hello', QUESTION]), [user(QUESTION)]],
    ['was handed the user’s very words, and they are the first', waiting([QUESTION]), [user(QUESTION)]],
    [
      'a question behind the history, while one of two calls waits',
      waiting(['Delegate please'], { toolNames: ['research', 'research'] }),
      [user('Delegate please'), assistant('', 'research', 'research'), result('research'), user('A template')],
    ],
    [
      'a question behind a history that shows an earlier result',
      waiting(['Delegate please'], { results: ['research'] }),
      [user('Delegate please'), assistant('', 'research'), result('research'), user('A template')],
    ],
  ])('is nested where a prompt %s', (_what, step, prompt) => {
    expect(relateToStep(step, prompt)).toBe('nested')
  })

  it.each<readonly [string, WaitingStep, readonly TurnMessage[]]>([
    [
      'next message behind an abandoned tool',
      { ...later, replied: 'Ilook.' },
      [...history, user('Delegate please'), assistant('I look.'), user('Never mind.')],
    ],
    [
      'next message that mentions the argument',
      { ...later, replied: 'Ilook.Wait.' },
      [...history, user('Delegate please'), assistant('I look.', 'research'), user(`No: ${QUESTION}, as I said.`)],
    ],
    [
      'next message after a result that no answer follows',
      first,
      [user('Delegate please'), assistant('', 'research'), result('research'), user('And now?')],
    ],
    ['next message where the host dropped the abandoned one', later, [...history, user('What time is it?')]],
    ['other request at the same time', later, [...history, user('And meanwhile?')]],
    ['a question of a run inside the tool', waiting(['Look it up'], { nested: true }), [user('What time is it?')]],
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

  const asks = (argumentTexts: readonly string[], text: string) => isAskedBy(waiting(['Go'], { argumentTexts }), [user(text)])

  it.each<readonly [string, boolean, readonly string[], string]>([
    ['one of several arguments', true, ['other words of the model', QUESTION], `Research: ${QUESTION}`],
    ['a short argument as the whole text', true, ['go on'], 'go on'],
    ['a short argument in a longer text', false, ['go on'], 'Let us go on'],
    ['an argument of twelve characters in a longer text', true, ['x'.repeat(12)], `a ${'x'.repeat(12)}`],
    ['an argument of eleven characters in a longer text', false, ['x'.repeat(11)], `a ${'x'.repeat(11)}`],
    ['an argument at the end of a long page', false, [QUESTION], `${'page '.repeat(4_000)}${QUESTION}`],
    ['an argument before the end of a long page', true, [QUESTION], `${'page '.repeat(3_990)}${QUESTION}`],
  ])('finds %s: %s', (_what, asked, texts, text) => {
    expect(asks(texts, text)).toBe(asked)
  })

  it('finds nothing where the user has said nothing', () => {
    expect(isAskedBy(first, [])).toBe(false)
  })
})

describe('answersTool', () => {
  it.each<readonly [string, boolean, readonly TurnMessage[]]>([
    ['a result of the tool', true, [user('a'), result('research')]],
    ['a result of another tool', false, [user('a'), result('lookup')]],
    ['a result that names no tool', true, [user('a'), { role: 'tool', text: '42' }]],
    ['a result that names an empty list of tools', true, [user('a'), { role: 'tool', text: '42', toolNames: [] }]],
    ['results of several tools, one of them the tool', true, [user('a'), { role: 'tool', text: '42', toolNames: ['lookup', 'research'] }]],
    ['a result before the newest words of the user', false, [user('a'), result('research'), user('b')]],
    ['a result before text that is not the words of the user', true, [user('a'), result('research'), summary]],
    ['a result where the user has said nothing', true, [result('research')]],
    ['a call without a result', false, [user('a'), assistant('', 'research')]],
    ['nothing', false, []],
  ])('%s: %s', (_what, isAnswered, prompt) => {
    expect(answersTool(first, prompt)).toBe(isAnswered)
  })
})

describe('the texts', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 'deep' : { a: nested(levels - 1) })

  it.each<readonly [string, unknown, readonly string[]]>([
    ['every text of an object', { a: ' one ', b: ['two', { c: 'three' }], d: 4, e: null, f: true }, ['one', 'two', 'three']],
    ['those of its JSON', '{"a":"one","b":["two"]}', ['one', 'two']],
    ['a text that is not JSON', ' What now? ', ['What now?']],
    ['a list of one that reads as JSON', ['7'], ['7']],
    ['no blank one', { a: '', b: ' \n' }, []],
    ['none of no arguments', undefined, []],
    ['those down to the ninth level', nested(9), ['deep']],
    ['none below it', nested(10), []],
  ])('of arguments are %s', (_what, input, texts) => {
    expect(argumentTexts(input)).toEqual(texts)
  })

  it('of arguments are at most fifty', () => {
    const texts = Array.from({ length: 60 }, (_, index) => `text ${index}`)
    expect(argumentTexts(['', ...texts])).toEqual(texts.slice(0, 50))
  })

  it('of the user are trimmed, and leave out what only has the role', () => {
    expect(userTexts([user(' a '), assistant('b'), summary, user('c')])).toEqual(['a', 'c'])
  })

  it.each([
    [['a', 'b'], ['a', 'b'], true],
    [['a', 'b'], ['a', 'c'], false],
    [['a'], ['a', 'b'], false],
    [['a', 'b'], ['a'], false],
    [[], [], true],
  ])('%j and %j are the same: %s', (left, right, isSame) => {
    expect(sameTexts(left, right)).toBe(isSame)
  })
})
