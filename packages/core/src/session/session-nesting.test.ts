import { manualClock } from '@hermes/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { TurnMessage } from '../proposal/turn-message.ts'
import {
  answersTool,
  argumentTexts,
  isAskedBy,
  type ModelToolCall,
  relateToStep,
  sameTexts,
  userTexts,
  type WaitingStep,
} from './nested-run.ts'
import { addNobodysCall, closeNobodysCall, SessionNesting, sessionOfCall } from './session-nesting.ts'

const user = (text: string): TurnMessage => ({ role: 'user', text })
const assistant = (text: string, ...toolNames: readonly string[]): TurnMessage => ({ role: 'assistant', text, toolNames })
const result: TurnMessage = { role: 'tool', text: '42', toolNames: ['research'] }

const QUESTION = 'I live in Mars'

let calls = 0

/** A model call for this prompt that calls a research tool; its step is waiting afterwards. */
const delegate = (nesting: SessionNesting, prompt: readonly TurnMessage[], more: Partial<ModelToolCall> = {}): string => {
  calls += 1
  const id = more.id ?? `call-${calls}`
  nesting.begin(prompt)
  nesting.noteCall({ id, name: 'research', input: JSON.stringify({ q: QUESTION }), prompt, ...more })
  nesting.end(prompt, false, [assistant('I look.', 'research')])
  return id
}

const setUp = () => {
  const home = { storage: {} }
  return { home, chat: new SessionNesting(home, 'chat', () => 0), other: new SessionNesting(home, 'other', () => 0) }
}

describe('begin and end', () => {
  it('tell a nested run from the turn around it, step by step', () => {
    const { chat } = setUp()
    const turn = [user('Delegate please')]
    delegate(chat, turn)
    const inner = [user(QUESTION)]
    expect(chat.begin(inner)).toBe(true)
    expect(chat.end(inner, true)).toBe(true)
    const next = [...turn, assistant('', 'research'), result]
    expect(chat.begin(next)).toBe(false)
    expect(chat.end(next, true)).toBe(false)
  })

  it('find a nested run of another session of the home, and none of another home', () => {
    const { chat, other } = setUp()
    delegate(chat, [user('Delegate please')])
    expect(other.begin([user(QUESTION)])).toBe(true)
    expect(new SessionNesting({ storage: {} }, 'chat', () => 0).begin([user(QUESTION)])).toBe(false)
  })

  it('find no nested run where the user mentions what the model asked in the session itself', () => {
    const { chat } = setUp()
    const turn = [user('Hello'), assistant('Hi.'), user('Delegate please')]
    delegate(chat, turn)
    expect(chat.begin([...turn, assistant('I look.', 'research'), user(`No: ${QUESTION}, as I said.`)])).toBe(false)
  })

  it('keep a run nested of which only the framework knew', () => {
    const { chat } = setUp()
    const inner = [user('Look it up')]
    chat.begin(inner, true)
    chat.noteCall({ id: 'call-inner', name: 'lookup', input: {}, prompt: inner })
    chat.end(inner, false)
    expect(chat.begin([...inner, assistant('', 'lookup'), { ...result, toolNames: ['lookup'] }])).toBe(true)
  })

  it('know nothing more of a session that was forgotten, nor of a call that comes late', () => {
    const { chat, other } = setUp()
    const turn = [user('Delegate please')]
    delegate(chat, turn)
    chat.forget()
    expect(other.begin([user(QUESTION)])).toBe(false)
    delegate(chat, turn)
    expect(other.begin([user(QUESTION)])).toBe(false)
  })

  it('judge a conversation that an adapter shows at the end of a run as they judged its steps', () => {
    const { chat } = setUp()
    delegate(chat, [user('Delegate please')])
    expect(chat.end([user(QUESTION), assistant('A coat.')], true)).toBe(true)
    expect(chat.isNested([user(QUESTION), assistant('A coat.')])).toBe(true)
    const whole = [user('Delegate please'), assistant('', 'research'), result, assistant('A coat.')]
    expect(chat.end(whole, true)).toBe(false)
    expect(chat.begin([user(QUESTION)])).toBe(false)
  })

  it('take whatever is asked while a tool is open for the tool’s own question', () => {
    const { chat } = setUp()
    delegate(chat, [user('Delegate please')])
    const page = [user('Summarise this page: …')]
    expect(chat.begin(page)).toBe(true)
    expect(chat.begin([...page, assistant('It is about coats.'), user('And this one: …')])).toBe(true)
  })

  it('foresee what they would find, or what a framework knows', () => {
    const { chat } = setUp()
    expect(chat.wouldNest([user(QUESTION)])).toBe(false)
    expect(chat.wouldNest([user(QUESTION)], true)).toBe(true)
    delegate(chat, [user('Delegate please')])
    expect(chat.wouldNest([user(QUESTION)])).toBe(true)
  })

  it('continue after a person was asked, in whichever answer', () => {
    const { chat } = setUp()
    const turn = [user('Delegate please')]
    delegate(chat, turn)
    expect(chat.begin([...turn, assistant('', 'research'), { ...result, text: '[denied]' }])).toBe(false)
  })

  it('know an answer that was interrupted by what it had said', () => {
    const { chat } = setUp()
    const turn = [user('Delegate please')]
    chat.begin(turn)
    chat.noteCall({ id: 'cut off', name: 'research', input: '{}', prompt: turn })
    chat.noteInterrupted(turn, [assistant('I look into', 'research')])
    expect(chat.wouldNest([...turn, assistant('Nobody said this.'), user('A page.')])).toBe(true)
    expect(chat.wouldNest([...turn, assistant('I look'), user('Never mind.')])).toBe(false)
  })

  it('wait no longer once the user has gone on', () => {
    const { chat } = setUp()
    const turn = [user('Delegate please')]
    delegate(chat, turn)
    const next = [...turn, assistant('I look.', 'research'), user('Never mind.')]
    expect(chat.begin(next)).toBe(false)
    expect(chat.begin([...next, assistant('Fine.'), user(QUESTION)])).toBe(false)
  })

  it('give up a call that gets no result for a quarter of an hour', () => {
    const clock = manualClock(0)
    const chat = new SessionNesting({ storage: {} }, 'chat', clock)
    delegate(chat, [user('Delegate please')])
    clock.advance(900_000)
    expect(chat.wouldNest([user('A new chat')])).toBe(true)
    clock.advance(1)
    expect(chat.wouldNest([user('A new chat')])).toBe(false)
  })

  it('keep at most 50 waiting steps of a home', () => {
    const { chat } = setUp()
    for (let step = 0; step < 51; step++) delegate(chat, [user(`Delegate ${step}`)], { input: { q: `question ${step}` } })
    expect(chat.isNested([user('question 0')])).toBe(false)
    expect(chat.isNested([user('question 1')])).toBe(true)
    const elsewhere = new SessionNesting({ storage: {} }, 'chat', () => 0)
    delegate(elsewhere, [user('Delegate there')], { input: { q: 'another question' } })
    expect(chat.isNested([user('question 1')])).toBe(true)
    expect(elsewhere.isNested([user('another question')])).toBe(true)
  })
})

describe('ownerOfCall', () => {
  it('knows whose model made a call while the call waits', () => {
    const { chat, other } = setUp()
    const turn = [user('Delegate please')]
    const id = delegate(chat, turn)
    const stranger = new SessionNesting({ storage: {} }, 'chat', () => 0)
    expect([chat, other, stranger].map((nesting) => nesting.ownerOfCall(id, 'research'))).toEqual(['own', 'own', 'other-home'])
    expect(chat.ownerOfCall(id, 'memory')).toBe('unknown')
    chat.begin([...turn, assistant('', 'research'), result])
    expect(stranger.ownerOfCall(id, 'research')).toBe('unknown')
  })

  it('knows the calls of a nested run', () => {
    const { chat } = setUp()
    delegate(chat, [user('Delegate please')])
    expect(chat.ownerOfCall(delegate(chat, [user(QUESTION)], { name: 'memory' }), 'memory')).toBe('nested')
  })

  it('refuses no call if two homes have a call of the same id', () => {
    const { chat } = setUp()
    const stranger = new SessionNesting({ storage: {} }, 'chat', () => 0)
    for (const nesting of [chat, stranger]) delegate(nesting, [user('Delegate please')], { id: 'call_0' })
    expect([chat, stranger].map((nesting) => nesting.ownerOfCall('call_0', 'research'))).toEqual(['own', 'own'])
  })
})

describe('nested run', () => {
  const result = (toolName: string): TurnMessage => ({ role: 'tool', text: '42', toolNames: [toolName] })
  const summary: TurnMessage = { role: 'user', text: 'Summary of what was said.', outside: true }

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
      [
        'puts a page behind an answer that nobody gave',
        later,
        [...history, user('Delegate please'), assistant('I look.'), user('A page.')],
      ],
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
  })

  describe('answersTool', () => {
    it.each<readonly [string, boolean, readonly TurnMessage[]]>([
      ['a result of the tool', true, [user('a'), result('research')]],
      ['a result of another tool', false, [user('a'), result('lookup')]],
      ['a result that names no tool', true, [user('a'), { role: 'tool', text: '42' }]],
      ['a result that names an empty list of tools', true, [user('a'), { role: 'tool', text: '42', toolNames: [] }]],
      [
        'results of several tools, one of them the tool',
        true,
        [user('a'), { role: 'tool', text: '42', toolNames: ['lookup', 'research'] }],
      ],
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
})

/** The session of a tool call: none rather than a wrong one. */
describe('session of call', () => {
  const TURN = [user('Remember this')]
  const CALL = { id: 'call_0', name: 'memory' }

  const RESULT = [
    ...TURN,
    { role: 'assistant', text: '', toolNames: ['memory'] },
    { role: 'tool', text: 'ok', toolNames: ['memory'] },
  ] as const

  const setUp = () => {
    const [home, elsewhere] = [{ storage: {} }, { storage: {} }]
    const opened = {
      a: new SessionNesting(home, 'a', () => 0),
      b: new SessionNesting(home, 'b', () => 0),
      stranger: new SessionNesting(elsewhere, 'a', () => 0),
    }
    onTestFinished(() => {
      for (const nesting of Object.values(opened)) nesting.forget()
      closeNobodysCall(RESULT)
    })
    const call = (who: keyof typeof opened, prompt: readonly TurnMessage[] = TURN) => {
      opened[who].noteCall({ ...CALL, input: {}, prompt })
    }
    const find = (messages?: readonly TurnMessage[], runs = false) =>
      sessionOfCall({ ...CALL, messages }, ({ storage }) => storage === home.storage || storage === elsewhere.storage, { runs })
    return { call, find, home }
  }

  it('is the one whose model made it, by its id, its tool and what was said', () => {
    const { call, find, home } = setUp()
    expect(find()).toBeUndefined()
    call('a')
    expect(find()).toEqual({ home, sessionId: 'a' })
    expect(find(TURN)).toEqual({ home, sessionId: 'a' })
    expect(find([...TURN, { role: 'assistant', text: 'Yes.' }])).toEqual({ home, sessionId: 'a' })
    expect(find([user('Other words')])).toBeUndefined()
    expect(find([])).toBeUndefined()
  })

  it.each([['b'], ['stranger']] as const)('is unknown if session %s made a call like it, unless the words differ', (other) => {
    const { call, find } = setUp()
    call('a')
    call(other, [user('Other words')])
    expect(find()).toBeUndefined()
    expect(find(TURN)?.sessionId).toBe('a')
  })

  it('is unknown beside a call without a session, until a prompt shows the result of that call', () => {
    const { call, find } = setUp()
    call('a')
    addNobodysCall({ ...CALL, input: {}, prompt: TURN })
    expect(find()).toBeUndefined()
    closeNobodysCall([user('Other words'), ...RESULT.slice(1)])
    expect(find()).toBeUndefined()
    closeNobodysCall(RESULT)
    expect(find()?.sessionId).toBe('a')
  })
})
