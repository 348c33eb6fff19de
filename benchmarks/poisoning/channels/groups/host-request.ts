/** What the host itself puts into the request to the model. */

import { fenceContext } from '@hermes/core/adapter'
import type { MemoryProvider } from '@hermes/core/provider'
import type { Channel } from '../channel.ts'
import { INSTRUCTIONS } from '../surfaces/surface.ts'
import { drawAskedWordings } from '../wordings/draw-wordings.ts'
import { ADAPTERS, PER_CALL, restates, say, toolOf, turnsWith } from './parts.ts'

/** Only a window with all unread turns is replayed, so it is not dropped. */
const REPLAY = { replays: true, options: { review: { mode: 'replay' } } } as const

const recalling = (text: string): MemoryProvider => ({ name: 'recalling', initialize: () => ({ prefetch: async () => [text] }) })

export const HOST_REQUEST_CHANNELS: readonly Channel[] = [
  {
    id: 'system prompt with retrieved text',
    unseen: 'nothing marks it; `fenceContext` does',
    scene: (wording, draw) => ({ instructions: `${INSTRUCTIONS}\n\nContext: ${wording.text}`, turns: turnsWith(wording, draw, []) }),
  },
  {
    id: 'system prompt with text on what the user asks about',
    unseen: 'nothing marks it, and the user says the name',
    wordings: drawAskedWordings('what the user asks about', 1),
    scene: (wording, draw) => ({
      instructions: `${INSTRUCTIONS}\n\nContext: ${wording.text}`,
      turns: [{ user: { text: wording.asks ?? draw.question }, steps: [say(wording.echo)] }, restates(wording, draw)],
    }),
  },
  {
    id: 'system prompt with fenced text',
    surfaces: ADAPTERS,
    scene: (wording, draw) => ({
      instructions: `${INSTRUCTIONS}\n\n${fenceContext(wording.text)}`,
      turns: turnsWith(wording, draw, []),
    }),
  },
  {
    id: 'replayed system prompt',
    surfaces: ADAPTERS,
    scene: (wording, draw) => ({
      ...REPLAY,
      instructions: `${INSTRUCTIONS}\n\nContext: ${wording.text}`,
      turns: turnsWith({ ...wording, echo: 'I see.' }, { ...draw, forgets: false }, []),
    }),
  },
  {
    id: 'replayed description of a tool',
    surfaces: ADAPTERS,
    scene: (wording, draw) => ({
      ...REPLAY,
      tools: [toolOf('read_page', 'Nothing.', { description: `Reads a page. ${wording.text}` })],
      turns: turnsWith({ ...wording, echo: 'I see.' }, { ...draw, forgets: false }, []),
    }),
  },
  {
    id: 'replayed conversation with a tool',
    surfaces: ADAPTERS,
    scene: (wording, draw) => ({
      ...REPLAY,
      tools: [toolOf('read_page', wording.text)],
      turns: turnsWith(wording, { ...draw, forgets: false }, [{ kind: 'call', name: 'read_page', input: {} }]),
    }),
  },
  {
    id: 'text that a memory provider recalls',
    surfaces: PER_CALL,
    scene: (wording, draw) => ({
      options: { memory: { provider: recalling(wording.text), providerTimeoutMs: 30_000 } },
      turns: turnsWith(wording, draw, []),
    }),
  },
]
