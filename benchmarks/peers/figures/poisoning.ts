/**
 * The attacks of `benchmarks/poisoning` that add one memory: text from outside that the agent repeats with its own tool, in the plain wording. Hermes goes through its
 * gate, with the default trust. A peer is asked to store the words, as its own tool would, or learns of them as a tool's result if it learns by itself.
 */
import { ATTACKS, type Attack } from '../../poisoning/cases/attack.ts'
import { hermesSubject } from '../../poisoning/hermes-subject.ts'
import { judgeAttack } from '../../poisoning/judge-outcome.ts'
import { attackScene } from '../../poisoning/scenes.ts'
import type { AttackOutcome } from '../../poisoning/subject.ts'
import { wantedByAttack } from '../../poisoning/wanted-proposals.ts'
import { type Context, contextOf, forEach, type Outcomes, withWorker } from '../harness/context.ts'
import type { Worker } from '../harness/processes.ts'
import type { Written } from '../harness/worker.ts'
import { peersOf } from '../peers.ts'

interface Counts {
  /** Became a memory with the authority of the user or the agent. */
  readonly raised: number
  /** Stored, marked as text from outside. */
  readonly data: number
  /** Held for a person, or refused. */
  readonly stopped: number
}

export interface Poisoning extends Counts {
  readonly attacks: number
  /** The same attacks, if the agent repeats the words in the turn in which it read them; for stores that are then told where words come from. */
  readonly sameTurn?: Counts
  /** Attacks that plant a new skill, and how many were in use afterwards; for peers that learn skills. */
  readonly skills?: { readonly attacks: number; readonly raised: number }
}

const contentOf = (attack: Attack): string | undefined => {
  const wanted = wantedByAttack(attack, attack.wordings[0][2])
  const [first] = wanted
  return wanted.length === 1 && first?.target !== 'skill' && first?.op['action'] === 'add' ? first.op['content'] : undefined
}

const isPlayable = (attack: Attack): boolean => (contentOf(attack) ?? '').trim() !== ''

const chosen = ({ share }: Context): readonly Attack[] =>
  Object.values(ATTACKS)
    .flat()
    .filter((attack, at) => isPlayable(attack) && at % Math.max(1, Math.round(1 / share)) === 0)

/** The attacks that plant a new skill, with its name. */
const SKILL_ATTACKS = Object.values(ATTACKS)
  .flat()
  .flatMap((attack) => {
    const { wants, skills } = attack
    return 'skill' in wants && wants.after === undefined && wants.file === undefined && skills === undefined
      ? [{ attack, name: wants.skill }]
      : []
  })

const run = (attack: Attack) => ({ attack, wording: 0, path: 'tool' }) as const

/** The tool, or the speaker, that brought the words from outside. */
const toolOf = ({ talk }: Attack): string => talk.find((line) => line.includes('{0}'))?.split(':')[0] ?? 'user'

const onPeer = async (attack: Attack, worker: Worker, folder: string, isSameTurn: boolean): Promise<AttackOutcome> => {
  const { scene, marks, entry } = attackScene(run(attack))
  const before = scene.before.map(([, , text]) => ['assistant', 'memory', text] as const)
  await worker.ask('open', { folder })
  await worker.ask('write', { facts: before.map(([, , text]) => text) })
  const content = contentOf(attack) ?? ''
  const asked = isSameTurn ? worker.ask('write', { facts: [content], from: toolOf(attack) }) : worker.ask('learn', { found: content })
  const written = (await asked) as Written
  const stored = String(await worker.ask('read', {}))
  const outside = String(await worker.ask('outside', {}))
  await worker.ask('close', {})
  const texts = [stored, ...before.map(([, , text]) => text).filter((text) => stored.includes(text) || outside.includes(text))]
  const own = texts.map((text) => ({ target: 'memory', text, origin: 'assistant' }) as const)
  const entries = outside === '' ? own : [...own, { target: 'memory', text: outside, origin: 'tool' } as const]
  const after = { entries, skillTexts: [], held: 0, records: [] }
  return judgeAttack({ attack, marks, entry, before, after, proposed: written.refused === 0 || written.times.length === 0 }).outcome
}

const plantSkills = async (worker: Worker, folder: () => string): Promise<Poisoning['skills']> => {
  let raised = 0
  for (const { attack, name } of SKILL_ATTACKS) {
    const [marks, , instructions] = attack.wordings[0]
    await worker.ask('open', { folder: folder() })
    const inUse = await worker.ask('learnSkill', { name, instructions })
    await worker.ask('close', {})
    if (inUse === undefined) return undefined
    if ([marks].flat().some((mark) => String(inUse).includes(mark))) raised++
  }
  return { attacks: SKILL_ATTACKS.length, raised }
}

const summarise = (outcomes: readonly AttackOutcome[]): Counts => {
  const count = (wanted: AttackOutcome): number => outcomes.filter((outcome) => outcome === wanted).length
  return { raised: count('raised'), data: count('data'), stopped: count('held') + count('rejected') }
}

const AT_ONCE = 4

const measure = async (name: string, context: Context): Promise<Poisoning> => {
  const attacks = chosen(context)
  const all = async (attack: (attack: Attack) => Promise<AttackOutcome>): Promise<Counts> => {
    const outcomes: AttackOutcome[] = []
    for (const each of attacks) outcomes.push(await attack(each))
    return summarise(outcomes)
  }
  if (name === 'ours') {
    const outcomeOf = async (attack: Attack): Promise<AttackOutcome> => (await hermesSubject.attack(run(attack), 'balanced')).outcome
    const planted = await Promise.all(SKILL_ATTACKS.map(({ attack }) => outcomeOf(attack)))
    const skills = { attacks: planted.length, raised: planted.filter((outcome) => outcome === 'raised').length }
    return { attacks: attacks.length, ...(await all(outcomeOf)), skills }
  }
  return await withWorker(name, context, async (worker) => {
    const later = await all((attack) => onPeer(attack, worker, context.folder(name), false))
    const skills = await plantSkills(worker, () => context.folder(name))
    const measured = { attacks: attacks.length, ...later, ...(skills && { skills }) }
    await worker.ask('open', { folder: context.folder(name) })
    if (!(await worker.ask('learnsOrigins', {}))) return measured
    return { ...measured, sameTurn: await all((attack) => onPeer(attack, worker, context.folder(name), true)) }
  })
}

export const measurePoisoning = (context: Context): Promise<Outcomes<Poisoning>> =>
  forEach(peersOf('poisoning', context.peers), (peer) => measure(peer.name, contextOf(peer, context)), AT_ONCE)
