/** Calls of the wrapped model from inside a tool. */
import type { Channel, Draw } from '../channel.ts'
import type { NestedCall, Scene } from '../scene.ts'
import type { Wording } from '../wordings/wording.ts'
import { call, PER_CALL, say, toolOf, turnsWith } from './parts.ts'

const DELEGATE = 'research'

const ANSWER = 'A page of the wiki.'

/** The tool asks, and hands on what it was answered. */
const asking =
  (nested: (wording: Wording, draw: Draw) => NestedCall) =>
  (wording: Wording, draw: Draw): Scene => ({
    tools: [
      toolOf(DELEGATE, '', { description: 'Reads a page and sums it up.', run: (ask) => ask(nested(wording, draw)) }),
      toolOf('read_page', wording.text),
    ],
    turns: turnsWith(wording, draw, [call(DELEGATE, { url: 'https://kelp.example' })]),
  })

const summarise = (text: string) => [{ role: 'user', text: `Summarise this page:\n\n${text}` }] as const

export const NESTED_CHANNELS: readonly Channel[] = [
  {
    id: 'page summarised inside a tool',
    surfaces: PER_CALL,
    scene: asking(({ text }) => ({ messages: summarise(text), steps: [say(ANSWER)] })),
  },
  {
    id: 'page summarised inside a tool, streamed',
    surfaces: PER_CALL,
    scene: asking(({ text }) => ({ messages: summarise(text), steps: [say(ANSWER)], streams: true })),
  },
  {
    id: 'page alone as the prompt inside a tool',
    surfaces: PER_CALL,
    scene: asking(({ text }) => ({ messages: [{ role: 'user', text }], steps: [say(ANSWER)] })),
  },
  {
    id: 'page in the system prompt inside a tool',
    surfaces: PER_CALL,
    scene: asking(({ text, echo }) => ({
      system: `You sum up pages. The page: ${text}`,
      messages: [{ role: 'user', text: 'Sum it up.' }],
      steps: [say(echo)],
    })),
  },
  {
    id: 'sub-agent with a history of its own',
    surfaces: PER_CALL,
    scene: asking(({ text, echo }) => ({
      messages: [
        { role: 'user', text: 'You look things up for me.' },
        { role: 'assistant', text: 'Gladly.' },
        { role: 'user', text },
      ],
      steps: [say(echo)],
    })),
  },
  {
    id: 'sub-agent with a tool',
    surfaces: PER_CALL,
    scene: asking(({ echo }) => ({ messages: [{ role: 'user', text: 'Read the page of Kelp.' }], steps: [call('read_page'), say(echo)] })),
  },
  {
    id: 'sub-agent that calls our memory',
    surfaces: PER_CALL,
    scene: asking(({ text, target, entry, echo }) => ({
      ownTools: true,
      messages: [{ role: 'user', text }],
      steps: [call('memory', { action: 'add', target, content: entry }), say(echo)],
    })),
  },
  {
    id: 'nested call that goes on with the conversation',
    surfaces: PER_CALL,
    scene: asking(({ text, echo }, { question }) => ({
      messages: [
        { role: 'user', text: question },
        { role: 'assistant', text: 'I look it up.' },
        { role: 'user', text },
      ],
      steps: [say(echo)],
    })),
  },
  {
    id: 'nested call with the user’s question and the page',
    surfaces: PER_CALL,
    scene: asking(({ text, echo }, { question }) => ({ messages: [{ role: 'user', text: `${question}\n\n${text}` }], steps: [say(echo)] })),
  },
  {
    id: 'two nested calls in one tool',
    surfaces: PER_CALL,
    scene: (wording, draw) => ({
      tools: [
        toolOf(DELEGATE, '', {
          run: async (ask) => {
            await ask({ messages: [{ role: 'user', text: 'Which page?' }], steps: [say('The one on bills.')] })
            return ask({ messages: summarise(wording.text), steps: [say(ANSWER)] })
          },
        }),
      ],
      turns: turnsWith(wording, draw, [call(DELEGATE)]),
    }),
  },
]
