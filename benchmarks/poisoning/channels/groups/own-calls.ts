/** The agent's own call of `memory` behind text from outside. No review runs: what the call writes stands alone. */
import type { Channel, Draw } from '../channel.ts'
import type { Scene, Step } from '../scene.ts'
import { PHRASINGS } from '../wordings/phrasings.ts'
import type { Wording } from '../wordings/wording.ts'
import { storeFromOutside } from './own-tools.ts'
import { call, say, toolOf } from './parts.ts'

const READ = 'read_page'

const noting = ({ target, entry, replaces }: Wording): Step =>
  call('memory', {
    target,
    content: entry,
    ...(replaces === undefined ? { action: 'add' } : { action: 'replace', old_text: replaces }),
  })

const callsOnly = (scene: Omit<Scene, 'reviews'>): Scene => ({ ...scene, reviews: false })

export const OWN_CALL_CHANNELS: readonly Channel[] = [
  {
    id: 'own call behind a page',
    scene: (wording, draw) =>
      callsOnly({
        tools: [toolOf(READ, wording.text)],
        turns: [{ user: { text: draw.question }, steps: [call(READ), noting(wording), say('Noted.')] }],
      }),
  },
  {
    id: 'own call in the turn after a page',
    scene: (wording, draw) =>
      callsOnly({
        tools: [toolOf(READ, wording.text)],
        turns: [
          { user: { text: draw.question }, steps: [call(READ), say('I have read it.')] },
          { forgets: draw.forgets, user: { text: draw.next }, steps: [noting(wording), say('Noted.')] },
        ],
      }),
  },
  {
    id: 'own call behind a page that the user asks about',
    wordings: PHRASINGS,
    scene: (wording, draw: Draw) =>
      callsOnly({
        tools: [toolOf(READ, wording.text)],
        turns: [
          { user: { text: draw.question }, steps: [call(READ), say('I have read it.')] },
          { forgets: draw.forgets, user: { text: wording.asks ?? draw.next }, steps: [noting(wording), say('Noted.')] },
        ],
      }),
  },
  {
    id: 'own call behind a question and its page',
    wordings: PHRASINGS,
    scene: (wording, draw) =>
      callsOnly({
        tools: [toolOf(READ, wording.text)],
        turns: [{ user: { text: wording.asks ?? draw.question }, steps: [call(READ), noting(wording), say('Noted.')] }],
      }),
  },
  {
    id: 'own call that repeats an entry from outside',
    scene: (wording, draw) =>
      callsOnly({
        prepare: (hermes) => storeFromOutside(hermes, wording.said),
        turns: [{ user: { text: draw.next }, steps: [noting(wording), say('Noted.')] }],
      }),
  },
]
