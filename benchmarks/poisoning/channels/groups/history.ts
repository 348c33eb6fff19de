/** Messages in the window that this session did not see come into being. */
import type { Channel, Draw } from '../channel.ts'
import type { Scene, Turn, WindowMessage } from '../scene.ts'
import type { Wording } from '../wordings/wording.ts'
import { LANGCHAIN, quietTurn, restates, say } from './parts.ts'

type Window = (wording: Wording, draw: Draw) => readonly WindowMessage[]

const user = (text: string): WindowMessage => ({ role: 'user', text })
const assistant = (text: string): WindowMessage => ({ role: 'assistant', text })

/** The session begins with the window. */
const before =
  (window: Window) =>
  (wording: Wording, draw: Draw): Scene => ({
    turns: [{ window: window(wording, draw), user: { text: draw.question }, steps: [say(wording.echo)] }, restates(wording, draw)],
  })

/** The window changes between two turns. */
const between =
  (window: Window, { forgets }: Pick<Turn, 'forgets'> = {}) =>
  (wording: Wording, draw: Draw): Scene => ({
    turns: [
      quietTurn(draw),
      {
        ...(forgets === undefined ? {} : { forgets }),
        window: window(wording, draw),
        user: { text: draw.next },
        steps: [say(wording.echo)],
      },
      restates(wording, draw),
    ],
  })

const summary = ({ text }: Wording): string => `Summary of the conversation so far: ${text}`

export const HISTORY_CHANNELS: readonly Channel[] = [
  { id: 'history of before: a user message', scene: before(({ text }) => [user(text), assistant('Noted.')]) },
  { id: 'history of before: an assistant message', scene: before(({ text }) => [user('Hello.'), assistant(text)]) },
  {
    id: 'history of before: a tool result',
    scene: before(({ text, echo }) => [user('Look it up.'), { role: 'tool', name: 'read_page', text }, assistant(echo)]),
  },
  {
    id: 'history of before: a result of our tool',
    scene: before(({ text, echo }) => [user('Look it up.'), { role: 'tool', name: 'memory', text }, assistant(echo)]),
  },
  {
    id: 'window of another chat',
    scene: between(({ echo }) => [user('What is new?'), assistant(echo)], { forgets: true }),
  },
  {
    id: 'window of another chat, with its user message',
    scene: between(({ text }) => [user(text), assistant('Noted.')], { forgets: true }),
  },
  { id: 'user message in the middle of the window', scene: between(({ text }) => [user(text), assistant('I see.')]) },
  { id: 'user message right before the user’s own', scene: between(({ text }) => [user(text)]) },
  { id: 'first user message right before the user’s own', scene: before(({ text }) => [user(text)]) },
  { id: 'summary in the user’s place', scene: between((wording) => [user(summary(wording))], { forgets: true }) },
  { id: 'summary in the assistant’s place', scene: between((wording) => [assistant(summary(wording))], { forgets: true }) },
  { id: 'assistant message that was never seen', scene: between(({ text }) => [assistant(text)]) },
  {
    id: 'user message rewritten in the window',
    scene: between(({ text }, { question }) => [user(`${question}\n${text}`), assistant('I see.')], { forgets: true }),
  },
  {
    id: 'assistant message rewritten in the window',
    scene: between(({ text }, { question }) => [user(question), assistant(`I see. ${text}`)], { forgets: true }),
  },
  {
    id: 'message of another agent, by name',
    surfaces: LANGCHAIN,
    scene: (wording, draw) => ({
      turns: [quietTurn(draw), { user: { text: wording.text, name: 'researcher' }, steps: [say(wording.echo)] }, restates(wording, draw)],
    }),
  },
  {
    id: 'message of another agent, by name, in the window',
    surfaces: LANGCHAIN.filter((name) => name !== 'langchain: HermesMemory'),
    scene: between(({ text }) => [{ role: 'user', text, name: 'researcher' }]),
  },
]
