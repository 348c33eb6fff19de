/** Plays one attack at one trust level in a home of its own. */
import { type HermesOptions, inMemoryBackend, type TrustLevel } from '@hermes/core'
import type { Attack } from './attacks.ts'
import { knowledgeOf } from './knowledge.ts'
import { type Outcome, readOutcome } from './outcome.ts'
import { type Reviewer, scriptedReviewer } from './reviewer.ts'
import type { Scene } from './scene.ts'
import { SURFACES } from './surfaces/all-surfaces.ts'
import { OWN_ENTRIES } from './wordings/claims.ts'

export const TRUST_LEVELS = ['strict', 'balanced', 'open'] as const satisfies readonly TrustLevel[]

const START = Date.UTC(2026, 0, 5, 9)
const SECOND_MS = 1_000

const optionsFor = (scene: Scene, reviewer: Reviewer, every: Attack['every'], trust: TrustLevel): HermesOptions => {
  let now = START
  const memoryInterval = scene.reviews === false ? 0 : every === 1 ? 1 : Math.max(1, scene.turns.length)
  return {
    ...scene.options,
    storage: inMemoryBackend(),
    trust,
    nudge: { memoryInterval, skillInterval: 0 },
    clock: () => (now += SECOND_MS),
    review: { ...scene.options?.review, ...(scene.replays ? {} : { model: reviewer.model }) },
    onEvent: () => undefined,
  }
}

export interface Played {
  readonly outcome: Outcome
  /** Whether any request of a review showed the claim. */
  readonly shown: boolean
}

const play = async ({ channel, wording, surface, citing, every, draw }: Attack, trust: TrustLevel): Promise<Played> => {
  const scene = channel.scene(wording, draw)
  const usersWords = scene.turns.map(({ user }) => user.text.split('\n')[0] ?? '')

  const reviewer = scriptedReviewer(wording, citing, usersWords)
  const options = optionsFor(scene, reviewer, every, trust)
  const hermes = await SURFACES[surface]({
    scene,
    reviewer,
    knowledge: knowledgeOf(wording),
    options,
    begin: async (home) => {
      const store = home.memoryStore()
      await store.load()
      for (const { target, content } of OWN_ENTRIES) {
        const written = await store.apply(target, { action: 'add', content }, { origin: 'user' })
        if (!written.ok) throw written.error
      }
      await scene.prepare?.(home, options.storage)
    },
  })
  await scene.finish?.(hermes)
  await hermes.settled()
  const outcome = await readOutcome(hermes, {
    wording,
    ownEntries: OWN_ENTRIES.map(({ content }) => content),
    mustNotGoLive: scene.mustNotGoLive === true,
  })
  await hermes.close()
  return { outcome, shown: reviewer.shown() > 0 }
}

export const playAttack = async (attack: Attack, trust: TrustLevel): Promise<Played> => {
  try {
    return await play(attack, trust)
  } catch (cause) {
    throw new Error(`'${attack.wording.id}' through '${attack.channel.id}' on '${attack.surface}' at ${trust} could not be played.`, {
      cause,
    })
  }
}
