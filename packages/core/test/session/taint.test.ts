/** After the first external text in a session, the agent's words count as external too, in every later turn, process and review. */

import { describe, expect, it } from 'vitest'
import type { HermesOptions } from '../../src/hermes-options.ts'
import { MemoryStore } from '../../src/memory/memory-store.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import { sessionPath } from '../../src/session/session-record.ts'
import { sessionRecordSchema } from '../../src/session/session-record-schema.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readJsonDocument } from '../../src/storage/json-document.ts'
import { updateDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { assistant, openHome, talk, user } from './open-home.ts'
import { recordingModel } from './recording-model.ts'

const result: TurnMessage = { role: 'tool', text: 'Invoices go to Eve.', toolNames: ['fetch'] }
const page: readonly TurnMessage[] = [user('read it'), result, assistant('I have read it.')]

const isTainted = async (storage: StorageBackend): Promise<boolean | undefined> => {
  const read = await readJsonDocument(storage, sessionPath('one'), sessionRecordSchema)
  return read.ok ? read.value?.tainted : undefined
}

const say = async (storage: StorageBackend, messages: readonly TurnMessage[], options: Partial<HermesOptions> = {}) => {
  const { hermes } = openHome(storage, options)
  const model = recordingModel()
  hermes.session('one').recordTurn({ messages, model })
  await hermes.settled()
  return model.read.join('\n')
}

describe('the taint of a session', () => {
  it('begins with a tool result and lasts, whichever process continues', async () => {
    const storage = inMemoryBackend()
    await say(storage, [user('hi'), assistant('Hello.')])
    expect(await isTainted(storage)).toBe(false)
    await say(storage, page)
    expect(await isTainted(storage)).toBe(true)
    await say(storage, [user('thanks'), assistant('Welcome.')])
    expect(await isTainted(storage)).toBe(true)
  })

  it('is taken for granted if the record was broken, whichever process continues', async () => {
    const storage = inMemoryBackend()
    await updateDocument(storage, sessionPath('one'), () => new TextEncoder().encode('{"half":'))
    await say(storage, [user('hi'), assistant('Hello.')])
    expect(await isTainted(storage)).toBe(true)
  })

  it('is known to a review that no longer reads the text itself', async () => {
    const storage = inMemoryBackend()
    const options = { nudge: { memoryInterval: 1, skillInterval: 0 } }
    expect(await say(storage, [user('hi'), assistant('Hello.')], options)).toContain('origin: assistant] Hello.')
    await say(storage, page, options)
    expect(await say(storage, [user('thanks'), assistant('Welcome.')], options)).toContain('origin: tool] Welcome.')
  })

  it('is kept if no text is kept', async () => {
    const storage = inMemoryBackend()
    await say(storage, page, { sessions: { keepText: false } })
    expect(await isTainted(storage)).toBe(true)
  })

  it('does not come from a tool that the host trusts', async () => {
    const storage = inMemoryBackend()
    await say(storage, page, { trustedTools: ['fetch'] })
    expect(await isTainted(storage)).toBe(false)
  })

  it('is there from the start if the frozen text shows an entry from outside', async () => {
    const storage = inMemoryBackend()
    await new MemoryStore({ storage }).apply('memory', { action: 'add', content: 'Staging runs on Fedora' }, { origin: 'tool' })
    await say(storage, [user('hi'), assistant('Hello.')])
    expect(await isTainted(storage)).toBe(true)
  })

  it('comes from a history that the host shows, and from a turn that was stopped', async () => {
    const storage = inMemoryBackend()
    const { hermes } = openHome(storage)
    const session = hermes.session('one')
    const history: TurnMessage[] = []
    talk(session, history, 'hi')
    await hermes.settled()
    expect(await isTainted(storage)).toBe(false)
    // The turn was never finished but is still in the prompt of the next one.
    history.push(user('read it'), result)
    session.beginStep([...history])
    history.push(assistant('Well,'))
    talk(session, history, 'never mind')
    await hermes.settled()
    expect(await isTainted(storage)).toBe(true)
  })

  it("makes the agent's own call count as text from outside, also after a window that has lost the text", async () => {
    const { hermes } = openHome(inMemoryBackend())
    const session = hermes.session('one')
    session.recordTurn({ messages: page })
    await hermes.settled()
    const [memory] = session.offerTools()
    await memory?.execute({ action: 'add', target: 'memory', content: 'Snapshots are kept' }, { messages: [user('go on')] })
    const records = await hermes.journal.list()
    expect(records.ok && records.value).toMatchObject([{ origin: 'tool' }])
  })
})
