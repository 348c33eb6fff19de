/** Tools of others that look like the session's own. */
import type { Channel } from '../channel.ts'
import type { SurfaceName } from '../surfaces/surface.ts'
import { call, surfacesWithout, toolOf, turnsWith } from './parts.ts'

const OURS = ['memory', 'skills_list', 'skill_view', 'skill_manage'] as const

const named = (name: (typeof OURS)[number], ownTools: boolean): Channel => ({
  id: `tool named ${name}, ${ownTools ? 'beside ours' : 'without ours'}`,
  scene: (wording, draw) => ({ ownTools, tools: [toolOf(name, wording.text)], turns: turnsWith(wording, draw, [call(name)]) }),
})

/** Surfaces on which a result carries a name of its own. */
const NAMED_RESULTS: readonly SurfaceName[] = [
  'core: steps',
  'core: turns',
  'langchain: withHermes, invoke',
  'langchain: withHermes, stream',
  'langchain: createAgent, hermes',
  'langchain: createAgent, homes',
]

const TOOL_CALL_ID = 'call_0'

export const NAMED_LIKE_OURS: readonly Channel[] = [
  ...OURS.flatMap((name) => [named(name, false), named(name, true)]),
  {
    id: 'copy of our tool with another result',
    scene: (wording, draw) => ({
      tools: [toolOf('memory', wording.text, { copies: 'memory' })],
      turns: turnsWith(wording, draw, [call('memory', { action: 'add', target: 'memory', content: 'We use pnpm here.' })]),
    }),
  },
  {
    id: 'result that carries the name of our tool',
    surfaces: NAMED_RESULTS,
    scene: (wording, draw) => ({
      tools: [toolOf('read_page', wording.text, { answersAs: OURS[draw.lot % OURS.length] ?? 'memory' })],
      turns: turnsWith(wording, draw, [call('read_page')]),
    }),
  },
  {
    id: 'result under the id of a call of ours',
    // The OpenAI Agents SDK ends a run in which an id comes again.
    surfaces: surfacesWithout('openai-agents: session, run', 'openai-agents: homes, stream'),
    scene: (wording, draw) => ({
      tools: [toolOf('read_page', wording.text)],
      turns: turnsWith(wording, draw, [
        { kind: 'call', id: TOOL_CALL_ID, name: 'skills_list', input: {} },
        { kind: 'call', id: TOOL_CALL_ID, name: 'read_page', input: {} },
      ]),
    }),
  },
]
