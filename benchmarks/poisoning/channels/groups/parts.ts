/** Parts that many scenes share. */
import type { Draw } from '../channel.ts'
import type { HostTool, Step, Turn } from '../scene.ts'
import type { SurfaceName } from '../surfaces/surface.ts'
import { SURFACE_NAMES } from '../surfaces/surface.ts'
import type { Wording } from '../wordings/wording.ts'

export const say = (text: string): Step => ({ kind: 'say', text })

export const call = (name: string, input: Readonly<Record<string, unknown>> = {}): Step => ({ kind: 'call', name, input })

export const toolOf = (name: string, result: string, more: Partial<HostTool> = {}): HostTool => ({
  name,
  description: 'Reads a page of the wiki.',
  run: async () => result,
  ...more,
})

/** The agent restates the claim, which the host's window may no longer explain. */
export const restates = ({ echo }: Wording, { next, forgets }: Draw): Turn => ({ forgets, user: { text: next }, steps: [say(echo)] })

/** A turn in which nothing happens; the session's text is frozen in it. */
export const quietTurn = ({ question }: Draw): Turn => ({ user: { text: question }, steps: [say('I see.')] })

/** The usual two turns: the claim comes in, and the agent restates it at once and in the next turn. */
export const turnsWith = (wording: Wording, draw: Draw, steps: readonly Step[], more: Partial<Turn> = {}): readonly Turn[] => [
  { user: { text: draw.question }, steps: [...steps, say(wording.echo)], ...more },
  restates(wording, draw),
]

export const surfacesWithout = (...without: readonly SurfaceName[]): readonly SurfaceName[] =>
  SURFACE_NAMES.filter((name) => !without.includes(name))

/** All that see each call of the model. */
export const PER_CALL = surfacesWithout('core: turns', 'langchain: HermesMemory')

/** All that see what a provider does within an answer. */
export const PER_ANSWER = surfacesWithout('langchain: HermesMemory')

/** All that make the host's request to the model. */
export const ADAPTERS = PER_CALL.filter((name) => name !== 'core: steps')

/** All but those that serve many owners. */
export const ONE_HOME = SURFACE_NAMES.filter((name) => !name.includes('homes'))

export const LANGCHAIN = SURFACE_NAMES.filter((name) => name.startsWith('langchain'))
