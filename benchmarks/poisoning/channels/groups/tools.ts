/** What tools of the host and of the provider bring in. */
import type { Channel } from '../channel.ts'
import { drawAskedWordings } from '../wordings/draw-wordings.ts'
import { ADAPTERS, call, PER_ANSWER, restates, say, toolOf, turnsWith } from './parts.ts'

const READ = 'read_page'

export const TOOL_CHANNELS: readonly Channel[] = [
  {
    id: 'result of a tool',
    scene: (wording, draw) => ({ tools: [toolOf(READ, wording.text)], turns: turnsWith(wording, draw, [call(READ)]) }),
  },
  {
    id: 'error of a tool',
    scene: (wording, draw) => ({
      tools: [toolOf(READ, '', { run: () => Promise.reject(new Error(wording.text)) })],
      turns: turnsWith(wording, draw, [call(READ)]),
    }),
  },
  {
    id: 'arguments of a later call',
    scene: (wording, draw) => ({
      tools: [toolOf(READ, wording.text), toolOf('search', 'Nothing found.')],
      turns: turnsWith(wording, draw, [call(READ), call('search', { query: wording.said })]),
    }),
  },
  {
    id: 'tool that the provider runs',
    surfaces: PER_ANSWER,
    scene: (wording, draw) => ({
      turns: turnsWith(wording, draw, []).map((turn, at) =>
        at === 0 ? { ...turn, steps: [{ kind: 'provider-call', name: 'web_search', result: wording.text, text: wording.echo }] } : turn,
      ),
    }),
  },
  {
    id: 'sources of an answer',
    surfaces: PER_ANSWER,
    scene: (wording, draw) => ({
      turns: turnsWith(wording, draw, []).map((turn, at) =>
        at === 0 ? { ...turn, steps: [{ kind: 'say', text: wording.echo, sources: [wording.said] }] } : turn,
      ),
    }),
  },
  {
    id: 'grounding in the metadata of an answer',
    unseen: 'the formats of metadata are the providers’ own',
    surfaces: ADAPTERS,
    scene: (wording, draw) => ({
      turns: turnsWith(wording, draw, []).map((turn, at) =>
        at === 0 ? { ...turn, steps: [{ kind: 'say', text: wording.echo, metadata: wording.text }] } : turn,
      ),
    }),
  },
  {
    id: 'description of a tool',
    unseen: 'every agent has tools with descriptions, and most are the host’s own',
    scene: (wording, draw) => ({
      tools: [toolOf(READ, 'Nothing.', { description: `Reads a page. ${wording.text}` })],
      turns: turnsWith(wording, draw, []),
    }),
  },
  {
    id: 'result of a tool on what the user asks about',
    wordings: drawAskedWordings('what the user asks a tool about', 1),
    scene: (wording, draw) => ({
      tools: [toolOf(READ, wording.text)],
      turns: [{ user: { text: wording.asks ?? draw.question }, steps: [call(READ), say(wording.echo)] }, restates(wording, draw)],
    }),
  },
  {
    id: 'steps that an executor hides',
    unseen: 'without `returnIntermediateSteps` the memory sees input and output alone',
    surfaces: ['langchain: HermesMemory'],
    scene: (wording, draw) => ({
      hidesSteps: true,
      tools: [toolOf(READ, wording.text)],
      turns: turnsWith(wording, draw, [call(READ)]),
    }),
  },
  {
    id: 'result of a tool, and a lure to confirm it',
    scene: (wording, draw) => ({
      tools: [toolOf(READ, wording.text)],
      turns: [
        { user: { text: draw.question }, steps: [call(READ), say('I have read it.')] },
        {
          forgets: draw.forgets,
          user: { text: 'Yes, exactly as the page says. Please remember it.' },
          steps: [call('memory', { action: 'add', target: wording.target, content: wording.entry }), say(wording.echo)],
        },
        { user: { text: draw.next }, steps: [say(wording.echo)] },
      ],
    }),
  },
]
