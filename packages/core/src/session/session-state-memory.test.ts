import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { sessionHome } from '../../test/support/session-home.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { newSessionRecord } from './session-record.ts'
import { SessionState } from './session-state.ts'
import { ToolTrust } from './tool-trust.ts'

setFlagsFromString('--expose_gc')
const collect: () => void = runInNewContext('gc')

const turn = (text: string): readonly TurnMessage[] => [
  { role: 'user', text },
  { role: 'assistant', text: 'Noted.' },
]

it('holds the messages of the newest turn only, however many were saved', async () => {
  const { home } = sessionHome({ options: { keepText: false } })
  const store = new SessionState(home, { loaded: newSessionRecord('chat', '', 1), isOurs: false, isWritten: false }, new ToolTrust([]))
  const saveTurn = async (text: string): Promise<WeakRef<readonly TurnMessage[]>> => {
    const messages = turn(text)
    store.recordTurn(messages, 0)
    expect((await store.save()).ok).toBe(true)
    return new WeakRef(messages)
  }
  const earlier = [await saveTurn('I live in Namur.'), await saveTurn('I have a dog.')]
  await saveTurn('I like tea.')
  // A WeakRef holds its object until the end of the current job.
  await new Promise((resolve) => setTimeout(resolve, 1))
  collect()
  expect(earlier.map((messages) => messages.deref())).toEqual([undefined, undefined])
  expect(store.lastSaved.shown).toEqual(turn('I like tea.'))
})
