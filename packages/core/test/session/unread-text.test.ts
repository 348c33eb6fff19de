/** The unread text that a session stores, and when it is removed. */

import { describe, expect, it } from 'vitest'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import { sessionPath } from '../../src/session/session-record.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { assistant, openHome, talk, user } from './open-home.ts'
import { recordingModel } from './recording-model.ts'

const recordOf = async (storage: StorageBackend, id = 'one'): Promise<string> => {
  const read = await readDocument(storage, sessionPath(id))
  return read.ok && read.value ? new TextDecoder().decode(read.value.bytes) : ''
}

const SECRETS = [
  'sk-abcdefghijklmnop1234567890abcdefghijklmn',
  'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
  'AKIAIOSFODNN7EXAMPLE',
  'hunter2hunter2',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
]

describe('the text that no review has read', () => {
  it('is kept without credentials, and the rest of the turn stays', async () => {
    const storage = inMemoryBackend()
    const { hermes } = openHome(storage)
    const said = `My api key is ${SECRETS[0]}\nuse ${SECRETS[1]} and ${SECRETS[2]}\nThe password is ${SECRETS[3]}\ntoken: ${SECRETS[4]}`
    hermes
      .session('one')
      .recordTurn({ messages: [user('I live in Lisbon by the way.'), user(said), assistant(`I will use ${SECRETS[0]}.`)] })
    await hermes.settled()
    const record = await recordOf(storage)
    for (const secret of SECRETS) expect(record).not.toContain(secret)
    expect(record).toContain('I live in Lisbon')
  })

  it('contains no part of a credential where a long text is cut', async () => {
    const storage = inMemoryBackend()
    const { hermes } = openHome(storage)
    const filler = Array.from({ length: 3_000 }, (_, at) => `w${at}`)
    for (let at = 100; at < filler.length; at += 3) filler[at] = SECRETS[0] ?? ''
    hermes.session('one').recordTurn({ messages: [user(filler.join(' '))] })
    await hermes.settled()
    expect(await recordOf(storage)).not.toMatch(/abcdefgh|7890abcdef/)
  })

  it('goes as soon as a review has read it', async () => {
    const storage = inMemoryBackend()
    const { hermes } = openHome(storage, { nudge: { memoryInterval: 2 } })
    const history: TurnMessage[] = []
    const model = recordingModel()
    talk(hermes.session('one'), history, 'I live in Lisbon', model)
    await hermes.settled()
    expect(await recordOf(storage)).toContain('I live in Lisbon')
    talk(hermes.session('one'), history, 'and work in Porto', model)
    await hermes.settled()
    expect(model.read[0]).toContain('I live in Lisbon')
    for (const text of ['Lisbon', 'Porto']) expect(await recordOf(storage)).not.toContain(text)
  })

  it('is no longer that of a message once the user has said it in other words', async () => {
    const storage = inMemoryBackend()
    const { hermes } = openHome(storage, { nudge: { memoryInterval: 6 } })
    const model = recordingModel()
    const before: TurnMessage[] = []
    talk(hermes.session('one'), before, 'I live in Lisbon', model)
    const deleted = [...before]
    for (const text of ['I keep two cats', 'and a parrot']) talk(hermes.session('one'), deleted, text, model)
    await hermes.settled()
    // What follows is in another process.
    const { hermes: next } = openHome(storage, { nudge: { memoryInterval: 6 } })
    const kept = [...before]
    for (const text of ['I keep three dogs', 'and a horse', 'Good night']) talk(next.session('one'), kept, text, model)
    await next.settled()
    const [read = ''] = model.read
    for (const text of ['Lisbon', 'three dogs', 'horse']) expect(read).toContain(text)
    for (const text of ['cats', 'parrot']) expect(read).not.toContain(text)
  })

  it('stays if the host shows a part of the conversation only, or nothing of it', async () => {
    const { hermes } = openHome(inMemoryBackend(), { nudge: { memoryInterval: 12 } })
    const model = recordingModel()
    const said = Array.from({ length: 4 }, (_, at) => `Fact ${at}`)
    for (const text of said) talk(hermes.session('none'), [], text, model)
    const history: TurnMessage[] = []
    for (const text of said) {
      talk(hermes.session('window'), history, `${text} again`, model)
      history.splice(0, history.length - 2)
    }
    const examples: readonly TurnMessage[] = [
      { role: 'user', text: 'An example' },
      { role: 'assistant', text: 'Its answer' },
    ]
    for (const text of said) talk(hermes.session('examples'), [...examples], `${text} once more`, model)
    await hermes.settled()
    for (const text of said) expect(model.read[0]?.split(`] ${text}`)).toHaveLength(4)
  })

  it.each<[string, readonly TurnMessage[], readonly (readonly string[])[]]>([
    [
      'with the same examples',
      [user('You help me.'), assistant('Understood.')],
      [
        ['I keep two cats', 'Bye'],
        ['I keep a horse', 'Bye now'],
      ],
    ],
    [
      'with the same words',
      [],
      [
        ['Hello', 'I keep two cats', 'Bye'],
        ['Hello', 'I keep a horse'],
      ],
    ],
  ])('stays if a host begins a new conversation in the session %s', async (_, examples, conversations) => {
    const { hermes } = openHome(inMemoryBackend(), { nudge: { memoryInterval: conversations.flat().length } })
    const model = recordingModel()
    for (const said of conversations) {
      const history = [...examples]
      for (const text of said) talk(hermes.session('one'), history, text, model)
    }
    await hermes.settled()
    for (const text of ['two cats', 'a horse']) expect(model.read[0]).toContain(text)
  })

  it('stays if a host that shows one exchange shows the first one again', async () => {
    const { hermes } = openHome(inMemoryBackend(), { nudge: { memoryInterval: 5 } })
    const model = recordingModel()
    const history: TurnMessage[] = []
    for (const text of ['Hello', 'I keep two cats', 'Bye', 'Hello', 'I keep a horse']) {
      talk(hermes.session('one'), history, text, model)
      history.splice(0, history.length - 2)
    }
    await hermes.settled()
    for (const text of ['two cats', 'Bye', 'a horse']) expect(model.read[0]).toContain(text)
  })

  it.each([
    ['intervals are 0', { nudge: { memoryInterval: 0, skillInterval: 0 } }],
    ['memory and skills are off', { memory: { memoryEnabled: false, userProfileEnabled: false }, skills: { enabled: false } }],
    ['keepText is false', { sessions: { keepText: false } }],
  ])('is not kept if %s', async (_, options) => {
    const storage = inMemoryBackend()
    const { hermes } = openHome(storage, options)
    const history: TurnMessage[] = []
    for (const text of ['I live in Lisbon', 'and work in Porto']) {
      talk(hermes.session('one'), history, text)
      await hermes.settled()
      hermes.session('two').recordTurn({ messages: [user(text), { role: 'tool', text, toolNames: ['x'] }], toolIterations: 1 })
      await hermes.settled()
    }
    for (const id of ['one', 'two']) {
      expect(await recordOf(storage, id)).toContain('"userTurns": 2')
      expect(await recordOf(storage, id)).not.toMatch(/Lisbon|Porto/)
    }
  })

  it('is not there for a review with keepText false, which reads what the host shows', async () => {
    const { hermes } = openHome(inMemoryBackend(), { nudge: { memoryInterval: 3 }, sessions: { keepText: false } })
    const model = recordingModel()
    const history: TurnMessage[] = []
    for (const text of ['I live in Lisbon', 'second', 'third']) {
      talk(hermes.session('shows'), history, text, model)
      await hermes.settled()
    }
    expect(model.read[0]).toContain('I live in Lisbon')
    for (const text of ['I live in Lisbon', 'second', 'third']) {
      hermes.session('hides').recordTurn({ messages: [user(text), assistant('…')], model })
      await hermes.settled()
    }
    expect(model.read[1]).not.toContain('I live in Lisbon')
    expect(model.read[1]).toContain('third')
  })
})

describe('turns and their reviews', () => {
  it('are told from the tail of the prompt: files beside the question, tool results and reply, in a loop that the host trims', async () => {
    const { hermes } = openHome(inMemoryBackend(), { nudge: { memoryInterval: 1 } })
    const model = recordingModel()
    const session = hermes.session('one')
    const asked: readonly TurnMessage[] = [
      user('an old question'),
      assistant('an old answer'),
      { role: 'user', text: '[file report.pdf]', outside: true },
      user('what does the report say?'),
    ]
    session.beginStep(asked)
    const call: TurnMessage = { role: 'assistant', text: '', toolNames: ['read'] }
    session.endStep({ prompt: asked, turnFinished: false, calledTools: true, reply: [call] })
    const trimmed: readonly TurnMessage[] = [call, { role: 'tool', text: 'profits rose', toolNames: ['read'] }]
    session.beginStep(trimmed)
    session.endStep({ prompt: trimmed, turnFinished: true, calledTools: false, reply: [assistant('It says profits rose.')], model })
    await hermes.settled()
    expect(model.read.at(-1)).toMatch(/report\.pdf.*what does the report say\?.*profits rose.*It says profits rose/s)
    expect(model.read.join()).not.toContain('an old question')
  })
})
