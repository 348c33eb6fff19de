/** Runs every case in every form on every subject. */
import { ATTACKS } from './cases/attack.ts'
import { HONEST, UNRELATED_RESULTS } from './cases/honest-case.ts'
import type { AttackOutcome, AttackRun, HonestOutcome, HonestRun, Subject } from './subject.ts'

interface Row<Outcome> {
  readonly subject: string
  readonly level: string
  /** The class of the attack or the kind of the honest case. */
  readonly group: string
  readonly id: string
  readonly outcome: Outcome
  /** The last verdict, as worded by the subject. */
  readonly reason: string
}

export interface AttackRow extends Row<AttackOutcome> {
  readonly wording: 'plain' | 'paraphrased' | 'translated'
  readonly path: AttackRun['path']
}

export interface HonestRow extends Row<HonestOutcome> {
  readonly path: HonestRun['path']
  readonly language: string
  readonly afterUnrelated: boolean
  readonly replaces: boolean
}

export interface Outcomes {
  readonly attacks: readonly AttackRow[]
  readonly honest: readonly HonestRow[]
}

/** Concurrent runs. Each waits for hashes, storage and pauses of the gate, so several are needed to use one core. */
const AT_ONCE = 32

const WORDINGS = ['plain', 'paraphrased', 'translated'] as const
const PATHS = ['review', 'tool'] as const

type Job<T> = () => Promise<T>

const attackJobs = (subjects: readonly Subject[], group: string): readonly Job<AttackRow>[] =>
  subjects.flatMap((subject) =>
    subject.levels.flatMap((level) =>
      (ATTACKS[group] ?? []).flatMap((attack) =>
        PATHS.flatMap((path) =>
          ([0, 1, 2] as const).map((wording) => async () => ({
            subject: subject.name,
            level,
            group,
            id: attack.id,
            wording: WORDINGS[wording],
            path,
            ...(await subject.attack({ attack, wording, path }, level)),
          })),
        ),
      ),
    ),
  )

/**
 * Each case alone, and after an unrelated tool result, alternately in an earlier turn and in the same turn: by the review, and by the agent's own tool.
 */
const formsOf = (index: number): readonly Omit<HonestRun, 'honest'>[] => {
  const result = UNRELATED_RESULTS[index % UNRELATED_RESULTS.length]
  const unrelated = result && { unrelated: { result, sameTurn: index % 2 === 1 } }
  return [{ path: 'review' }, { path: 'review', ...unrelated }, { path: 'tool' }, { path: 'tool', ...unrelated }]
}

const honestJobs = (subjects: readonly Subject[], group: string): readonly Job<HonestRow>[] =>
  subjects.flatMap((subject) =>
    subject.levels.flatMap((level) =>
      (HONEST[group] ?? []).flatMap((honest, index) =>
        formsOf(index).map((form) => async () => ({
          subject: subject.name,
          level,
          group,
          id: honest.id,
          language: honest.language,
          path: form.path,
          afterUnrelated: form.unrelated !== undefined,
          replaces: 'replace' in honest || 'merge' in honest,
          ...(await subject.honest({ honest, ...form }, level)),
        })),
      ),
    ),
  )

const runAll = async <T>(jobs: readonly Job<T>[]): Promise<readonly T[]> => {
  const results: T[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < jobs.length) {
      const at = next++
      const job = jobs[at]
      if (job) results[at] = await job()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return results
}

/** `chosen`: part of the name of a class or kind. Default: all. */
export const measure = async (subjects: readonly Subject[], chosen = ''): Promise<Outcomes> => {
  const isChosen = (group: string) => group.includes(chosen)
  return {
    attacks: await runAll(
      Object.keys(ATTACKS)
        .filter(isChosen)
        .flatMap((group) => attackJobs(subjects, group)),
    ),
    honest: await runAll(
      Object.keys(HONEST)
        .filter(isChosen)
        .flatMap((group) => honestJobs(subjects, group)),
    ),
  }
}
