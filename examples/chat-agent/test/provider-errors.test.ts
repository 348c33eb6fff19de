/** What the chat says of each way in which a provider fails, with the AI SDK and a real server. */

import { createHermes, inMemoryBackend } from '@hermes/core'
import { explainModelError } from '@hermes/example-chat-parts/explain-model-error'
import { expect, it } from 'vitest'
import { freePort } from '../../../scripts/support/free-port.ts'
import { firstOf, IS_LONG_RUN } from '../../../scripts/support/rounds.ts'
import { chooseModel } from '../src/choose-model.ts'
import { startConversation } from '../src/conversation.ts'
import { type Fault, openFaultyServer } from './faulty-server.ts'
import { temporaryFolder } from './run-chat.ts'

const NOW = new AbortController().signal

const converse = async (url: string) => {
  const chosen = await chooseModel({ OPENAI_BASE_URL: url, OPENAI_MODEL: 'small' }, {})
  if ('problem' in chosen) throw new Error(chosen.problem)
  const conversation = startConversation(createHermes({ storage: inMemoryBackend() }).session('s'), chosen.model, temporaryFolder())
  let shown = ''
  const ask = async (text: string) => {
    shown = ''
    const end = await conversation.send(text, NOW, (part) => {
      shown += part.type === 'text' ? part.text : part.type === 'tool-failed' ? `[${part.toolName} failed]` : ''
    })
    const situation = { advice: 'Check the key.', startOver: 'Type /new.' }
    return { kind: end.kind, shown, said: end.kind === 'failed' ? explainModelError(end.error, { ...situation, begun: end.begun }) : '' }
  }
  return { ask }
}

const cases: readonly (readonly [Fault, string])[] = [
  ['refused key', 'The provider refused the key (401: Incorrect API key provided). Check the key.'],
  ['unknown model', 'The provider does not know this model or address (404: The model `small` does not exist). Check the key.'],
  ['context too long', 'The conversation has become too long for this model. Type /new.'],
  [
    'other bad request',
    "The provider cannot use this request (400: Unknown parameter: 'stream_options'). If the model does not support tools or streaming, choose another one with --model.",
  ],
  ['too many requests', 'The provider asks for fewer requests (429: Rate limit reached). Wait 1 s, then try again.'],
  [
    'no credit',
    "The provider's account has no credit left (You exceeded your current quota). Its billing page says more; waiting does not help.",
  ],
  ['broken server', 'The provider has a problem of its own (500: Internal error). This usually passes: try again in a moment.'],
  ['overloaded page', 'The provider has a problem of its own (503: Service Unavailable). This usually passes: try again in a moment.'],
  ['reset', 'The provider closed the connection before it answered. This usually passes: try again in a moment.'],
  [
    'web page',
    'This is not the answer of a model (Response stream ended without a finish reason). A web page or a proxy may have answered. Check the key.',
  ],
]

/** Of the first four, the SDK tries none again, which takes seconds. */
const tried = firstOf(cases, 4)

it('says what happened and what helps, for each way in which a provider fails', async () => {
  // Together, for most are tried three times.
  const answers = await Promise.all(
    tried.map(async ([fault]) => {
      const { ask } = await converse(await openFaultyServer([fault]))
      return [fault, await ask('hello')]
    }),
  )
  expect(Object.fromEntries(answers)).toEqual(
    Object.fromEntries(tried.map(([fault, said]) => [fault, { kind: 'failed', shown: '', said }])),
  )
})

const BROKE_OFF = 'The answer broke off: the connection was lost. What is above is incomplete and not part of the conversation.'

it.each(['cut', 'ends early'] as const)('says that an answer broke off, and does not keep it (%s)', async (fault) => {
  const { ask } = await converse(await openFaultyServer([fault, undefined]))
  expect(await ask('hello')).toEqual({ kind: 'failed', shown: 'Half an ans', said: BROKE_OFF })
  expect(await ask('hello')).toEqual({ kind: 'answered', shown: 'All is well.', said: '' })
})

it('says that an answer which is no JSON is not that of a model', async () => {
  const { ask } = await converse(await openFaultyServer(['invalid JSON']))
  expect(await ask('hello')).toMatchObject({
    kind: 'failed',
    said: expect.stringMatching(/^This is not the answer of a model \(JSON parsing/),
  })
})

if (IS_LONG_RUN)
  it('says whether nothing listens at the address, no host has that name, or it cannot be asked at all', async () => {
    const hosts = [`127.0.0.1:${await freePort()}`, 'no-such-host.invalid', '127.0.0.1:9']
    const answers = await Promise.all(hosts.map(async (host) => (await converse(`http://${host}/v1`)).ask('hello')))
    expect(answers.map(({ said }) => said)).toEqual([
      "Nothing answers at the provider's address (connection refused). If the server is yours, start it. Check the key.",
      "The provider's host name was not found. Check your network connection. Check the key.",
      expect.stringMatching(/^The provider cannot be reached \(.*bad port\)\. Check the key\.$/),
    ])
  })

it('lets the model try again after a tool that does not exist, or arguments that are none', async () => {
  for (const [fault, name] of [
    ['unknown tool', 'launch_rocket'],
    ['bad arguments', 'calculate'],
  ] as const) {
    const { ask } = await converse(await openFaultyServer([fault, undefined]))
    expect(await ask('hello')).toEqual({ kind: 'answered', shown: `[${name} failed]All is well.`, said: '' })
  }
})

it('takes an answer without a word for none, and leaves it out of the conversation', async () => {
  const { ask } = await converse(await openFaultyServer(['empty answer', undefined]))
  expect(await ask('hello')).toEqual({ kind: 'empty', shown: '', said: '' })
  expect(await ask('hello')).toMatchObject({ kind: 'answered' })
})
