import { describe, expect, it } from 'vitest'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { OwnWords } from './own-words.ts'
import { changeRecord, newSessionRecord, type Proof } from './session-record.ts'
import { ToolTrust } from './tool-trust.ts'

const user = (text: string): TurnMessage => ({ role: 'user', text })
const assistant = (text: string): TurnMessage => ({ role: 'assistant', text })
const tool = (text: string, name = 'memory'): TurnMessage => ({ role: 'tool', text, toolNames: [name] })

const open = (proof?: Proof) => new OwnWords(proof, new ToolTrust(['clock']))

const marks = (messages: readonly TurnMessage[]) => messages.map(({ outside = false }) => outside)

describe('the user’s words', () => {
  it('are the newest message of a prompt that opened a turn, and no other message', async () => {
    const own = open()
    const prompt = [user('history of before'), assistant('an old answer'), user('a document'), user('my question')]
    own.noteOpener(prompt)
    expect(marks(await own.prove(prompt))).toEqual([true, true, true, false])
  })

  it('stay the user’s behind other white space, and with other quoted text', async () => {
    const own = open()
    own.noteOpener([user('Look at this:\n> one page\nand tell me')])
    expect(marks(await own.prove([user(' Look at this:\n\n> another page\n and tell me')]))).toEqual([false])
    expect(marks(await own.prove([user('Look at this:\n> one page\nand obey')]))).toEqual([true])
  })

  it('are never those of a message with a name', async () => {
    const own = open()
    const named: TurnMessage = { role: 'user', text: 'ship it', name: 'planner' }
    own.noteOpener([named])
    expect(marks(await own.prove([named]))).toEqual([true])
  })

  it('are the newest message of a conversation for hosts that report no steps', async () => {
    const own = open()
    const shown = [user('earlier'), assistant('answer'), user('now')]
    expect(marks(await own.prove(shown, true))).toEqual([true, true, false])
    expect(marks(await own.prove(shown))).toEqual([true, true, true])
  })
})

describe('the assistant’s words', () => {
  it('are what a model of the session answered, in however many messages the host shows it', async () => {
    const own = open()
    own.noteAnswer([assistant('First part. '), { role: 'tool', text: 'a page' }, assistant('Second part.')])
    expect(marks(await own.prove([assistant('First part.'), assistant('First part. Second part.'), assistant('Made up.')]))).toEqual([
      false,
      false,
      true,
    ])
  })

  it('are the beginning of an interrupted answer, and no other part of it', async () => {
    const own = open()
    own.noteAnswer([assistant('The port is 4711, and')], true)
    expect(marks(await own.prove([assistant('The port is'), assistant('4711, and')]))).toEqual([false, true])
    own.noteAnswer([assistant('A whole answer')])
    expect(marks(await own.prove([assistant('A whole')]))).toEqual([true])
  })

  it('need no proof where they are only calls of tools', async () => {
    expect(marks(await open().prove([assistant(''), user('')]))).toEqual([false, false])
  })
})

describe('results of tools', () => {
  it('are replaced by what our tool did if it gave out exactly this text', async () => {
    const own = open()
    own.noteResult('{"success":true}', '[memory {}: done]')
    expect(await own.prove([tool('{ "success": true }', 'anything'), tool('{"success":false}')])).toEqual([
      assistant('[memory {}: done]'),
      tool('{"success":false}'),
    ])
  })

  it('are recognised if an adapter has cut them', async () => {
    const own = open()
    const long = JSON.stringify({ content: 'x'.repeat(20_000) })
    own.noteResult(long, 'did')
    const [shown] = await own.prove([tool(`${long.slice(0, 8_000)}\n[cut: ${long.length - 8_000} more characters]`)])
    expect(shown).toEqual(assistant('did'))
  })

  it('are trusted if the host vouches for the tool, whatever an adapter says', async () => {
    const claimed: TurnMessage = { ...tool('a page', 'fetch'), trusted: true }
    expect(await open().prove([tool('12:00', 'clock'), claimed])).toEqual([
      { ...tool('12:00', 'clock'), trusted: true },
      tool('a page', 'fetch'),
    ])
  })

  it('say nothing of passwords that a call held', async () => {
    const own = open()
    own.noteResult('{}', '[memory {"content":"password: hunter2-and-more"}: not done]')
    expect(JSON.stringify(await own.take())).not.toContain('hunter2')
  })
})

describe('another process', () => {
  it('proves the same by the digests of the first', async () => {
    const first = open()
    first.noteOpener([user('hello')])
    first.noteAnswer([assistant('hi')])
    first.noteResult('{}', 'did')
    const proof = await first.take()
    expect(JSON.stringify(proof)).not.toMatch(/hello|"hi"/)
    const shown = [user('hello'), assistant('hi'), tool('{}')]
    expect(marks(await open(proof).prove(shown))).toEqual([false, false, false])
    const late = open()
    expect(await late.isProven(shown)).toBe(false)
    if (proof) late.add(proof)
    expect(await late.isProven(shown)).toBe(true)
    expect(await first.take()).toBeUndefined()
  })

  it('keeps the newest 400 messages', () => {
    const many = (from: number) => ({
      proof: { said: Array.from({ length: 300 }, (_, at) => `digest ${from + at}`), answered: [], results: [] },
    })
    const { said = [] } = [many(0), many(250)].reduce(changeRecord, newSessionRecord('a', '', 1)).proof ?? {}
    expect([said.length, said[0], said.at(-1)]).toEqual([400, 'digest 150', 'digest 549'])
  })
})
