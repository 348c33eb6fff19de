/** What a session does with each report of a host: what it counts, saves, and refuses. */
import { describe, expect, it } from 'vitest'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { recordSteps, type StepRecorderDeps } from './record-steps.ts'
import type { CompletedTurn, StepEnd } from './session.ts'
import type { SessionStore } from './session-store.ts'

const user = (text: string): TurnMessage => ({ role: 'user', text })
const assistant = (text: string): TurnMessage => ({ role: 'assistant', text })
const mark: TurnMessage = { role: 'user', text: '[recalled text]', outside: true }

/** A session whose parts note each call. */
const open = (change: { readonly nested?: boolean; readonly beginsTurn?: boolean; readonly finishes?: boolean } = {}) => {
  const { nested = false, beginsTurn = true, finishes = true } = change
  const calls: (readonly unknown[])[] = []
  const misuses: (readonly [string, HermesError])[] = []
  const note =
    (name: string) =>
    (...given: readonly unknown[]) => {
      calls.push([name, ...given])
    }
  const store = {
    beginTurn: (prompt: readonly TurnMessage[]) => {
      note('store begins')(prompt)
      return beginsTurn
    },
    endStep: (said: readonly TurnMessage[], step: object) => {
      note('store ends')(said, step)
      return finishes ? { messages: said.slice(-2) } : undefined
    },
    recordTurn: note('store records'),
  } as unknown as SessionStore
  const later: (() => void)[] = []
  let isReady = true
  const deps: StepRecorderDeps = {
    trust: { noteOffered: note('offered') },
    nesting: {
      isNestedStep: () => nested,
      begin: (prompt, known) => {
        note('nesting begins')(prompt, known)
        return nested
      },
      noteInterrupted: note('nesting is interrupted'),
      end: (prompt, turnFinished) => {
        note('nesting ends')(prompt, turnFinished)
        return nested
      },
      isNested: () => nested,
    },
    memory: { newTurn: note('memory begins') },
    counts: { turnBegan: note('counts begin'), turnEnded: note('counts end') },
    tokens: { count: note('tokens') },
    whenReady: (effect) => {
      if (isReady) effect(store)
      else later.push(() => effect(store))
    },
    save: note('save'),
    recall: { seen: (messages) => [...messages, mark], turnBegan: note('recall begins') },
    turnFinished: note('turn finished'),
    noteActivity: note('activity'),
    misused: (method, error) => misuses.push([method, error]),
  }
  const names = () => calls.map(([name]) => name)
  const of = (name: string) => calls.filter(([each]) => each === name).map(([, ...given]) => given)
  return { steps: recordSteps(deps), calls, names, of, misuses, later, wait: () => (isReady = false) }
}

const model = async () => ''
const prompt = [user('hello')]
const end: StepEnd = { prompt, turnFinished: true, calledTools: false, reply: [assistant('hi')] }

describe('a step that begins', () => {
  it('begins a turn with what is shown, recalled text marked', () => {
    const { steps, calls } = open()
    steps.beginStep(prompt)
    expect(calls).toEqual([
      ['activity'],
      ['nesting begins', prompt, undefined],
      ['store begins', [...prompt, mark]],
      ['recall begins', prompt],
      ['memory begins'],
      ['counts begin'],
    ])
    expect(steps.openTurn).toEqual([...prompt, mark])
  })

  it('inside a turn begins none', () => {
    const { steps, names } = open({ beginsTurn: false })
    steps.beginStep(prompt)
    expect(names()).toEqual(['activity', 'nesting begins', 'store begins'])
  })

  it('of a nested run changes nothing', () => {
    const { steps, names, of } = open({ nested: true })
    steps.beginStep(prompt, { nested: true, modelId: 'model-1' })
    expect(names()).toEqual(['activity', 'nesting begins'])
    expect(of('nesting begins')).toEqual([[prompt, true]])
    expect([steps.openTurn, steps.modelId]).toEqual([undefined, undefined])
  })

  it('names its model, if that is a name', () => {
    const { steps } = open()
    steps.beginStep(prompt, { modelId: ' model-1 ' })
    expect(steps.modelId).toBe('model-1')
    steps.beginStep(prompt, { modelId: 7 as never })
    expect(steps.modelId).toBeUndefined()
  })
})

describe('a step that ends', () => {
  it('saves what was said, and the turn that it finished', () => {
    const { steps, calls } = open()
    const usage = { inputTokens: 1 }
    steps.endStep({ ...end, usage, model })
    const said = [...prompt, mark, assistant('hi')]
    expect(calls).toEqual([
      ['nesting ends', prompt, true],
      ['tokens', said, usage],
      ['activity'],
      ['store ends', said, { calledTools: false, turnFinished: true, reply: [assistant('hi')] }],
      ['turn finished', said.slice(-2), false],
      ['counts end'],
      ['save', model],
    ])
  })

  it('leaves no turn open, and its reply if another step follows', () => {
    const { steps, names } = open({ finishes: false })
    steps.beginStep(prompt)
    steps.endStep({ ...end, turnFinished: false, calledTools: true })
    expect(steps.openTurn).toEqual([...prompt, mark, assistant('hi')])
    expect(names()).not.toContain('counts end')
    expect(names()).not.toContain('turn finished')
    steps.endStep(end)
    expect(steps.openTurn).toBeUndefined()
  })

  it('without a prompt continues what was shown last', () => {
    const { steps, of } = open()
    steps.beginStep(prompt)
    const { prompt: _, ...bare } = end
    steps.endStep(bare)
    expect(of('nesting ends')).toEqual([[[...prompt, mark], true]])
    expect(of('store ends').map(([said]) => said)).toEqual([[...prompt, mark, assistant('hi')]])
  })

  it('without a prompt, and without a beginning, is its reply alone', () => {
    const { steps, of } = open()
    const { prompt: _, ...bare } = end
    steps.endStep(bare)
    expect(of('nesting ends')).toEqual([[[], true]])
    expect(of('store ends').map(([said]) => said)).toEqual([[assistant('hi')]])
  })

  it('of a nested run saves nothing', () => {
    const { steps, names } = open({ nested: true })
    steps.endStep(end)
    expect(names()).toEqual(['nesting ends'])
  })

  it.each([
    [true, true],
    [false, false],
    [undefined, false],
    [1, false],
  ])('is automated if the step with its prompt began so: %s', (automated, expected) => {
    const { steps, of } = open()
    steps.beginStep(prompt, { automated: automated as boolean })
    steps.endStep(end)
    steps.endStep({ ...end, prompt: [...prompt] })
    const { prompt: _, ...bare } = end
    steps.endStep(bare)
    expect(of('turn finished').map(([, isAutomated]) => isAutomated)).toEqual([expected, false, false])
  })

  it('keeps the newest model for a step that names none', () => {
    const { steps, of } = open()
    expect(steps.newestModel).toBeUndefined()
    steps.endStep({ ...end, model })
    steps.endStep(end)
    expect(steps.newestModel).toBe(model)
    expect(of('save')).toEqual([[model], [undefined]])
  })

  it('counts once the session is open, in order', () => {
    const { steps, names, later, wait } = open()
    wait()
    steps.beginStep(prompt)
    steps.endStep(end)
    expect(names()).toEqual(['activity', 'nesting begins', 'nesting ends', 'tokens', 'activity'])
    for (const effect of later) effect()
    expect(names().slice(5)).toEqual([
      'store begins',
      'recall begins',
      'memory begins',
      'counts begin',
      'store ends',
      'turn finished',
      'counts end',
      'save',
    ])
  })
})

describe('a whole turn', () => {
  const messages = [user('hello'), assistant('hi')]

  it('is counted, recorded and saved', () => {
    const { steps, calls } = open()
    const usage = { inputTokens: 1 }
    steps.beginStep(prompt)
    calls.length = 0
    steps.recordTurn({ messages, before: [assistant('Welcome.')], toolIterations: 2, usage, model, automated: true })
    expect(calls).toEqual([
      ['tokens', messages, usage],
      ['activity'],
      ['memory begins'],
      ['recall begins', messages],
      ['store records', [...messages, mark], 2, [assistant('Welcome.'), mark]],
      ['turn finished', messages, true],
      ['counts end'],
      ['save', model],
    ])
    expect([steps.openTurn, steps.newestModel]).toEqual([undefined, model])
  })

  it('called no tools and had a person, unless it says otherwise', () => {
    const { steps, of } = open()
    steps.recordTurn({ messages })
    steps.recordTurn({ messages, automated: 1 as never })
    expect(of('store records').map(([, iterations]) => iterations)).toEqual([0, 0])
    expect(of('turn finished').map(([, isAutomated]) => isAutomated)).toEqual([false, false])
  })

  it('of a nested run is not counted', () => {
    const { steps, calls } = open({ nested: true })
    steps.recordTurn({ messages })
    expect(calls).toEqual([])
  })
})

describe('a report that is not valid', () => {
  const bad = [{ role: 'nobody', text: 'x' }] as never

  it.each([
    [undefined, /list of messages/],
    [bad, /list of messages/],
  ])('of a prompt is refused: %o', (given, message) => {
    const { steps, calls, misuses } = open()
    steps.beginStep(given as never)
    expect(calls).toEqual([])
    expect(misuses).toMatchObject([['beginStep', { code: 'invalid', message: expect.stringMatching(message) }]])
    expect(misuses[0]?.[1].message).toMatch(/Nothing was counted\.$/)
  })

  it.each([
    [undefined, /endStep takes an object/],
    ['a step', /endStep takes an object/],
    [{ ...end, turnFinished: 1 }, /'turnFinished' and 'calledTools'/],
    [{ ...end, calledTools: undefined }, /'turnFinished' and 'calledTools'/],
    [{ ...end, reply: 'hi' }, /'reply' must be a list/],
    [{ ...end, prompt: bad }, /'prompt' must be a list/],
    [{ ...end, model: 'gpt' }, /'model' must be a function/],
  ])('of the end of a step is refused: %o', (step, message) => {
    const { steps, calls, misuses } = open()
    steps.endStep(step as StepEnd)
    expect(calls).toEqual([])
    expect(misuses).toMatchObject([['endStep', { code: 'invalid', message: expect.stringMatching(message) }]])
  })

  it.each([
    [null, /recordTurn takes an object/],
    [{}, /'messages' must be a list/],
    [{ messages: prompt, toolIterations: -1 }, /'toolIterations' must be a whole number, 0 or more/],
    [{ messages: prompt, toolIterations: 1.5 }, /'toolIterations'/],
    [{ messages: prompt, model: {} }, /'model' must be a function/],
  ])('of a turn is refused: %o', (turn, message) => {
    const { steps, calls, misuses } = open()
    steps.recordTurn(turn as CompletedTurn)
    expect(calls).toEqual([])
    expect(misuses).toMatchObject([['recordTurn', { code: 'invalid', message: expect.stringMatching(message) }]])
  })
})
