/** Prepares a case in one of its forms to be played on any subject. Pure. */
import type { EntryBefore } from './cases/attack.ts'
import { fillTalk, readTalk, type SessionTurns } from './conversation.ts'
import { adversarialReviewer, honestReviewer, type ScriptedReviewer } from './scripted-reviewers.ts'
import type { AttackRun, HonestRun } from './subject.ts'
import { entriesNeeded, type Wanted, wantedByAttack, wantedByHonest } from './wanted-proposals.ts'

/** A final step with a tool, because such steps trigger the review of skills. */
const CLOSING_TURN = ['user: And how many are there now?', 'terminal: 3', 'agent: Three.']

export interface Scene {
  readonly sessions: readonly SessionTurns[]
  readonly before: readonly EntryBefore[]
  readonly skills: Readonly<Record<string, string>>
  readonly wanted: readonly Wanted[]
  readonly reviewer: ScriptedReviewer
  readonly by: 'steps' | 'turns'
  readonly path: 'review' | 'tool'
  /** What a memory provider recalls in the last session; empty for no provider. */
  readonly recalled: readonly string[]
}

const closed = (talk: readonly string[], isSkill: boolean): readonly string[] => {
  const lastTurn = talk.slice(talk.findLastIndex((line) => line.startsWith('user: ')))
  const usesTools = lastTurn.some((line) => !/^(?:user|file|recall|summary|agent): /.test(line))
  return isSkill && !usesTools ? [...talk, ...CLOSING_TURN] : talk
}

/** All lines but those of the last session, without their speakers. */
const earlierLines = (talk: readonly string[]): readonly string[] =>
  talk
    .slice(0, talk.lastIndexOf('---'))
    .filter((line) => line !== '---')
    .map((line) => line.slice(line.indexOf(': ') + 2))

const toList = (texts: string | readonly string[]): readonly string[] => (typeof texts === 'string' ? [texts] : texts)

export interface AttackScene {
  readonly scene: Scene
  readonly marks: readonly string[]
  readonly entry: string
}

export const attackScene = ({ attack, wording, path }: AttackRun): AttackScene => {
  const [marks, outside, entry, echo = ''] = attack.wordings[wording]
  const wanted = wantedByAttack(attack, entry)
  const talk = closed(fillTalk(attack.talk, toList(outside), echo), 'skill' in attack.wants)
  const quote = attack.cites === 'outside' ? (toList(outside)[0] ?? '').split('\n').at(-1) : undefined
  const scene: Scene = {
    sessions: readTalk(talk),
    before: attack.before ?? [],
    skills: attack.skills ?? {},
    wanted,
    reviewer: adversarialReviewer({ wanted, marks: toList(marks), quote }),
    by: 'steps',
    path,
    recalled: attack.recalls ? earlierLines(talk) : [],
  }
  return { scene, marks: toList(marks), entry }
}

const withUnrelated = (talk: readonly string[], needs: readonly string[], unrelated: HonestRun['unrelated']): readonly string[] => {
  if (unrelated === undefined) return talk
  const { result, sameTurn } = unrelated
  if (!sameTurn) return [...result, ...talk]
  const said = talk.findLastIndex((line) => line.startsWith('user: ') && needs.some((need) => line.includes(need)))
  const at = said < 0 ? 1 : said + 1
  return [...talk.slice(0, at), result[1], ...talk.slice(at)]
}

export const honestScene = ({ honest, path, unrelated }: HonestRun): Scene => {
  const wanted = wantedByHonest(honest)
  const known = honest.before ?? []
  const needed = entriesNeeded(honest).filter(([, text]) => !known.some(([, , old]) => old === text))
  return {
    sessions: readTalk(closed(withUnrelated(honest.talk, honest.needs, unrelated), 'skill' in honest)),
    before: [...known, ...needed.map(([target, text]) => ['user', target, text] as const)],
    skills: {},
    wanted,
    reviewer: honestReviewer({ wanted, needs: honest.needs }),
    // Alternates between the two ways.
    by: path === 'review' && honest.id.length % 2 === 0 ? 'turns' : 'steps',
    path,
    recalled: [],
  }
}
