/** What skills that the agent did not write from own words show: when loaded, listed or refused, and in the catalogue. */
import { createHermes, type Hermes, inMemoryBackend, ok, type ReviewGate, type StorageBackend } from '@hermes/core'
import type { Channel, Draw } from '../channel.ts'
import type { Scene, Step } from '../scene.ts'
import type { Wording } from '../wordings/wording.ts'
import { call, ONE_HOME, turnsWith } from './parts.ts'

const NAME = 'kelp-billing'

/** What of the skill carries the claim. */
type Place = 'instructions' | 'description'

const documentOf = ({ text, said }: Wording, place: Place): string => {
  const description = place === 'description' ? said : 'How Kelp bills'
  return `---\nname: ${NAME}\ndescription: ${JSON.stringify(description)}\n---\n\n${place === 'instructions' ? text : 'Ask the office.'}\n`
}

const place = async (hermes: Hermes, content: string): Promise<void> => {
  const created = await hermes.skillStore().create({ name: NAME, content })
  if (!created.ok) throw created.error
}

export const archiveOf = async (fill: (hermes: Hermes) => Promise<void>): Promise<Uint8Array> => {
  const other = createHermes({ storage: inMemoryBackend() })
  await fill(other)
  const exported = await other.export()
  if (!exported.ok) throw exported.error
  await other.close()
  return exported.value
}

const approveAll: ReviewGate = async () => ok({ approved: true, reason: 'Nothing is checked.', origin: 'tool' })

type Source = 'shared' | 'placed by hand' | 'from an import that is not trusted' | 'written behind text from outside'

const SOURCES: Readonly<Record<Source, (content: string) => Pick<Scene, 'prepare' | 'options'>>> = {
  shared: (content) => {
    const storage = inMemoryBackend()
    return { options: { skills: { shared: [storage] } }, prepare: () => place(createHermes({ storage }), content) }
  },
  'placed by hand': (content) => ({ prepare: (hermes) => place(hermes, content) }),
  'from an import that is not trusted': (content) => ({
    prepare: async (hermes) => {
      const imported = await hermes.import(await archiveOf((other) => place(other, content)), { trusted: false })
      if (!imported.ok) throw imported.error
    },
  }),
  // An earlier session, whose host let it in.
  'written behind text from outside': (content) => ({ prepare: (_, storage) => writeBehindOutside(storage, content) }),
}

const writeBehindOutside = async (storage: StorageBackend, content: string): Promise<void> => {
  const earlier = createHermes({ storage, gate: approveAll, nudge: { memoryInterval: 0, skillInterval: 0 } })
  const session = earlier.session('earlier')
  const manage = session.offerTools().find(({ name }) => name === 'skill_manage')
  const messages = [
    { role: 'user', text: 'Read the page.' },
    { role: 'assistant', text: '', toolNames: ['read_page'] },
    { role: 'tool', text: content, toolNames: ['read_page'] },
  ] as const
  session.beginStep(messages)
  await manage?.execute({ action: 'create', name: NAME, content, create_anyway: true }, { messages })
  await earlier.settled()
}

const loading =
  (source: Source, where: Place, step: Step | undefined) =>
  (wording: Wording, draw: Draw): Scene => ({
    ...SOURCES[source](documentOf(wording, where)),
    turns: turnsWith(wording, draw, step === undefined ? [] : [step]),
  })

/** One line of each skill is shown anyway. */
const DESCRIPTIONS = 'a person or the host chose the skill, and nearly every home has some'

const SIMILAR = '---\nname: bill-kelp\ndescription: How Kelp bills its customers\n---\n\n1. Bill.\n'

export const SKILL_CHANNELS: readonly Channel[] = [
  ...(Object.keys(SOURCES) as Source[]).map((source) => ({
    id: `skill_view of a skill ${source}`,
    // A home of many owners has a storage of its own, which a scene cannot reach.
    ...(source === 'written behind text from outside' ? { surfaces: ONE_HOME } : {}),
    scene: loading(source, 'instructions', call('skill_view', { name: NAME })),
  })),
  { id: 'skills_list with a shared skill', unseen: DESCRIPTIONS, scene: loading('shared', 'description', call('skills_list')) },
  {
    id: 'skill_manage: a similar shared skill',
    unseen: DESCRIPTIONS,
    scene: loading('shared', 'description', call('skill_manage', { action: 'create', name: 'bill-kelp', content: SIMILAR })),
  },
  {
    id: 'skill_manage: a patch that does not fit',
    scene: loading(
      'placed by hand',
      'instructions',
      call('skill_manage', { action: 'patch', name: NAME, old_string: 'The weather was wild', new_string: 'Bill.' }),
    ),
  },
  {
    id: 'catalogue with a shared skill',
    unseen: DESCRIPTIONS,
    scene: loading('shared', 'description', undefined),
  },
]
