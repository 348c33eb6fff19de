/** Sums up what was played: how many held-out tasks passed in each arm, and the paired differences with their confidence intervals. Pure. */
import { ARMS, type Arm, type FamilyOutcome, type TaskOutcome } from './play-family.ts'

export interface ArmSummary {
  readonly arm: Arm
  readonly tasks: number
  readonly hits: number
  /** Mean over the families, 0 to 1. */
  readonly passed: number
  /** Share of the tasks in which a skill was loaded, 0 to 1. */
  readonly loaded: number
  readonly tokensPerTask: number
}

export interface Interval {
  readonly low: number
  readonly high: number
}

export interface Difference {
  readonly arm: Arm
  readonly over: Arm
  /** Mean over the families of the difference in the share that passed, -1 to 1. */
  readonly difference: number
  /** 95 %, over families; undefined for fewer than five. */
  readonly interval: Interval | undefined
}

export interface FamilySummary extends Readonly<Record<Arm, number>> {
  readonly family: string
  readonly tasks: number
  /** Mean over the runs. */
  readonly skills: number
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : sum(values) / values.length)

/** Mulberry32: the same numbers from 0 to 1 for the same seed. */
const randomNumbers = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** With fewer values, those that are drawn vary too little for an interval. */
const MIN_VALUES = 5
const ROUNDS = 10_000
const SEED = 1
const OUTSIDE = 0.025

/** The 95 % interval of the mean: the values are drawn again with replacement, many times. The same for the same values. */
export const bootstrapInterval = (values: readonly number[]): Interval | undefined => {
  if (values.length < MIN_VALUES) return undefined
  const random = randomNumbers(SEED)
  const means = Float64Array.from({ length: ROUNDS }, () => {
    let total = 0
    for (let drawn = 0; drawn < values.length; drawn++) total += values[Math.floor(random() * values.length)] ?? 0
    return total / values.length
  }).sort()
  const at = (share: number): number => means[Math.round(share * (ROUNDS - 1))] ?? 0
  return { low: at(OUTSIDE), high: at(1 - OUTSIDE) }
}

const shareOf = (tasks: readonly TaskOutcome[], holds: (task: TaskOutcome) => boolean): number =>
  tasks.length === 0 ? 0 : tasks.filter(holds).length / tasks.length

const hasPassed = ({ passed }: TaskOutcome): boolean => passed

/** One row for each family; its runs count as more of its tasks. */
export const summariseFamilies = (outcomes: readonly FamilyOutcome[]): readonly FamilySummary[] =>
  [...new Set(outcomes.map(({ family }) => family))].map((family) => {
    const own = outcomes.filter((outcome) => outcome.family === family)
    const share = (arm: Arm): number =>
      shareOf(
        own.flatMap(({ tasks }) => tasks[arm]),
        hasPassed,
      )
    return {
      family,
      tasks: sum(own.map(({ tasks }) => tasks.none.length)),
      skills: mean(own.map(({ training }) => training.skills)),
      none: share('none'),
      learned: share('learned'),
      curated: share('curated'),
    }
  })

export const summariseArms = (outcomes: readonly FamilyOutcome[]): readonly ArmSummary[] => {
  const families = summariseFamilies(outcomes)
  return ARMS.map((arm) => {
    const tasks = outcomes.flatMap((outcome) => outcome.tasks[arm])
    return {
      arm,
      tasks: tasks.length,
      hits: tasks.filter(hasPassed).length,
      passed: mean(families.map((family) => family[arm])),
      loaded: shareOf(tasks, ({ loaded }) => loaded),
      tokensPerTask: mean(tasks.map(({ tokens }) => tokens)),
    }
  })
}

const PAIRS: readonly (readonly [arm: Arm, over: Arm])[] = [
  ['learned', 'none'],
  ['curated', 'none'],
  ['learned', 'curated'],
]

/** In each family the same tasks are compared. */
export const compareArms = (outcomes: readonly FamilyOutcome[]): readonly Difference[] => {
  const families = summariseFamilies(outcomes)
  return PAIRS.map(([arm, over]) => {
    const values = families.map((family) => family[arm] - family[over])
    return { arm, over, difference: mean(values), interval: bootstrapInterval(values) }
  })
}
