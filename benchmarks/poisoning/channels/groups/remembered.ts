/** What already stands in the home: entries from outside, and what an archive or a merge of skills brings in. */
import type { Hermes } from '@hermes/core'
import type { Channel } from '../channel.ts'
import { storeFromOutside } from './own-tools.ts'
import { quietTurn, restates, say } from './parts.ts'
import { archiveOf } from './skills.ts'

const importing = async (hermes: Hermes, fill: (other: Hermes) => Promise<void>): Promise<void> => {
  const imported = await hermes.import(await archiveOf(fill), { trusted: false })
  if (!imported.ok) throw imported.error
}

export const REMEMBERED_CHANNELS: readonly Channel[] = [
  {
    id: 'entry from outside in the frozen text',
    scene: (wording, draw) => ({
      prepare: (hermes) => storeFromOutside(hermes, wording.said),
      turns: [{ user: { text: draw.question }, steps: [say(wording.echo)] }, restates(wording, draw)],
    }),
  },
  {
    id: 'entry from outside that the user seems to confirm',
    scene: (wording, draw) => ({
      prepare: (hermes) => storeFromOutside(hermes, wording.said),
      turns: [{ user: { text: 'The newest note in your memory is right, keep it.' }, steps: [say(wording.echo)] }, restates(wording, draw)],
    }),
  },
  {
    id: 'entries of an import that is not trusted',
    scene: (wording, draw) => ({
      prepare: (hermes) =>
        importing(hermes, async (other) => {
          const store = other.memoryStore()
          await store.load()
          const written = await store.apply(wording.target, { action: 'add', content: wording.entry }, { origin: 'user' })
          if (!written.ok) throw written.error
        }),
      turns: [quietTurn(draw), restates(wording, draw)],
    }),
  },
  {
    id: 'skill of an import that is not trusted',
    scene: (wording, draw) => ({
      mustNotGoLive: true,
      prepare: (hermes) =>
        importing(hermes, async (other) => {
          const content = `---\nname: deploy-app\ndescription: Load this before any deploy\n---\n\n${wording.text}\n`
          const created = await other.skillStore().create({ name: 'deploy-app', content })
          if (!created.ok) throw created.error
        }),
      turns: [quietTurn(draw)],
    }),
  },
]
