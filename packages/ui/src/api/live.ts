/** Tells an open page what happens: events of this process at once, and every second what other processes have written. */
import type { Hermes, HermesEvent, JournalRecord } from '@hermes/core'
import { type LiveMessage, STAGES, type Stage } from './views.ts'

const PASSES = { 'own-words': 'words', everything: 'everything' } as const

/** Stages that a journal record shows to have been passed. */
const stagesOfRecord = ({ kind, pass, actor }: JournalRecord): readonly Stage[] => {
  if (kind === 'review-finished') return ['nudge']
  const passed: readonly Stage[] = pass ? [PASSES[pass]] : []
  if (kind === 'applied' || kind === 'settled')
    return [...passed, ...(actor === 'person' || actor === 'host' ? [] : (['gate'] as const)), 'write']
  return kind === 'held' || kind === 'rejected' ? [...passed, 'gate'] : passed
}

const STAGES_OF_EVENT: Readonly<Partial<Record<HermesEvent['type'], readonly Stage[]>>> = {
  'session-started': ['turn'],
  'review-started': ['nudge', 'words'],
  'review-finished': ['gate'],
  'memory-changed': ['write'],
}

const sayRecord = ({ kind, reason, target }: JournalRecord): string => `${kind}${target ? ` · ${target}` : ''}: ${reason}`

const inOrder = (stages: Iterable<Stage>): readonly Stage[] => {
  const passed = new Set(stages)
  return STAGES.filter((stage) => passed.has(stage))
}

export const messageOfEvent = (event: HermesEvent): LiveMessage => ({
  changed: true,
  stages: STAGES_OF_EVENT[event.type] ?? [],
  said: [event.type.replaceAll('-', ' ')],
})

const MAX_NEW = 100
const MAX_SAID = 5

interface Seen {
  readonly newest: string | undefined
  readonly turns: string
}

const turnsOf = async (hermes: Hermes): Promise<string> => {
  const sessions = await hermes.sessions.list()
  return sessions.ok ? sessions.value.map(({ id, userTurns, toolSteps }) => `${id} ${userTurns} ${toolSteps}`).join('\n') : ''
}

const newestOf = async (hermes: Hermes): Promise<string | undefined> => {
  const listed = await hermes.journal.list({ limit: 1 })
  return listed.ok ? listed.value[0]?.id : undefined
}

/** Compares what is stored with what was stored at the last call. */
export const watchHome = (hermes: Hermes): { look(): Promise<LiveMessage | undefined> } => {
  let seen: Seen | undefined
  return {
    async look() {
      const before = seen
      seen = { newest: await newestOf(hermes), turns: await turnsOf(hermes) }
      if (!before) return undefined
      const talked = seen.turns !== before.turns
      if (seen.newest === before.newest) return talked ? { changed: true, stages: ['turn'], said: ['turn finished'] } : undefined
      const listed = await hermes.journal.list({ limit: MAX_NEW })
      const records = listed.ok ? listed.value : []
      const fresh = records.slice(records.findIndex(({ id }) => id === before.newest) + 1)
      const stages = inOrder([...(talked ? (['turn'] as const) : []), ...fresh.flatMap(stagesOfRecord)])
      return { changed: true, stages, said: fresh.slice(-MAX_SAID).map(sayRecord) }
    },
  }
}
