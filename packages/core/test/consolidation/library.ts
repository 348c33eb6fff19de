/** A library of the agent's skills to merge, a model with prepared answers, and helpers to read the result. */

import { type MergeOptions, mergeSkills } from '../../src/curator/merge/merge-skills.ts'
import type { SkillEvaluator } from '../../src/evaluation/skill-evaluator.ts'
import { everyGate, evidenceGate, scoreThresholdGate } from '../../src/gate/gates.ts'
import type { ReviewGate } from '../../src/gate/review-gate.ts'
import { createJournal } from '../../src/journal/journal.ts'
import { createPending } from '../../src/journal/pending.ts'
import type { HostModel } from '../../src/model/host-model.ts'
import { HermesError } from '../../src/shared/hermes-error.ts'
import { err, ok, type Result } from '../../src/shared/result.ts'
import { SkillStore } from '../../src/skills/skill-store.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { UsageStore } from '../../src/usage/usage-store.ts'
import { curatorHome } from '../support/open-curator.ts'
import { treeOf, unwrap, write } from '../support/skill-library.ts'

export const NOW = Date.parse('2026-06-01T00:00:00Z')
export const DAY = 86_400_000

export interface GivenSkill {
  readonly description?: string
  readonly body: string
  readonly category?: string
  /** Files in addition to the SKILL.md. */
  readonly files?: Readonly<Record<string, string>>
  /** Default `agent`. */
  readonly createdBy?: string | null
}

export const skillText = (name: string, description: string, body: string): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`

/** Two near duplicates, and an unrelated skill. */
export const TRIAGE: Readonly<Record<string, GivenSkill>> = {
  'pr-triage-labels': {
    description: 'Label new pull requests',
    body: '# Labels\n\nPut the label needs-review on every new pull request.\n\n```sh\ngh pr edit --add-label needs-review\n```',
    files: { 'references/labels.md': 'All labels are listed at https://labels.acme.test.\n', 'scripts/label.sh': 'echo label\n' },
  },
  'pr-triage-stale': {
    description: 'Close stale pull requests',
    body: '# Stale ones\n\nClose a pull request without any commit for 60 days.\n\n```sh\ngh pr close --comment stale\n```',
  },
  'write-haiku': { description: 'Poems of three lines', body: 'Five, seven, five.' },
}

export const openLibrary = async (given: Readonly<Record<string, GivenSkill>> = TRIAGE, storage: StorageBackend = inMemoryBackend()) => {
  const clock = () => NOW
  const skills = new SkillStore({ storage, clock })
  const usage = new UsageStore({ storage, clock: () => NOW - 90 * DAY })
  for (const [name, { description = `About ${name}`, body, category, files = {}, createdBy = 'agent' }] of Object.entries(given)) {
    unwrap(await skills.create({ name, category, content: skillText(name, description, body) }))
    unwrap(await usage.record(name, 'create', { createdBy }))
    const folder = category === undefined ? name : `${category}/${name}`
    await write(storage, Object.fromEntries(Object.entries(files).map(([path, text]) => [`skills/${folder}/${path}`, text])))
  }
  return { storage, clock, skills, usage: new UsageStore({ storage, clock }) }
}

export type Library = Awaited<ReturnType<typeof openLibrary>>

export const asYaml = (plan: object): string => `I looked at them.\n\n\`\`\`yaml\n${JSON.stringify(plan, null, 2)}\n\`\`\`\n`

/** One request to the model, as the tests read it. */
export interface ConsolidationRequest {
  readonly system: string
  readonly user: string
  readonly maxOutputTokens: number
  readonly signal: AbortSignal
}

export type Proposer = (request: ConsolidationRequest) => Promise<Result<string>>

export const toModel =
  (proposer: Proposer): HostModel =>
  async ({ system, messages, maxOutputTokens, signal }) => {
    const answer = await proposer({ system, user: messages[0]?.content ?? '', maxOutputTokens, signal })
    if (!answer.ok) throw answer.error
    return answer.value
  }

/** A model with these answers in order; the last one is repeated. */
export const scripted = (...answers: readonly (string | object)[]) => {
  const requests: ConsolidationRequest[] = []
  const proposer = async (request: ConsolidationRequest) => {
    requests.push(request)
    const answer = answers[Math.min(requests.length, answers.length) - 1] ?? ''
    return ok(typeof answer === 'string' ? answer : asYaml(answer))
  }
  return { proposer, requests }
}

export const DEFAULT_GATE = everyGate(scoreThresholdGate(), evidenceGate())

export interface ConsolidateOptions extends Partial<MergeOptions> {
  readonly gate?: ReviewGate
  readonly staleAfterDays?: number
  readonly evaluate?: SkillEvaluator
}

const LIMITS = { timeoutMs: 60_000, maxTokens: 50_000, withoutVerdict: undefined }

/** A failure has the report in its details. */
export const consolidate = async ({ storage, clock }: Library, proposer: Proposer, options: ConsolidateOptions = {}) => {
  const { gate = DEFAULT_GATE, staleAfterDays, evaluate, ...more } = options
  let ids = 0
  const createId = () => `id${ids++}`
  const home = curatorHome({ storage, clock, gate, createId }, staleAfterDays === undefined ? {} : { staleAfterDays })
  const evaluated = { ...home, options: { ...home.options, skills: { evaluate, evaluation: LIMITS } } }
  const { report, failure } = await mergeSkills(evaluated, { model: toModel(proposer), ...more })
  const outcome = failure ? err(new HermesError(failure.code, failure.message, { details: { consolidation: report } })) : ok(report)
  return { outcome, journal: createJournal({ storage, clock, createId }), pending: createPending({ storage, clock }) }
}

export const reportOf = async (library: Library, proposer: Proposer, options: ConsolidateOptions = {}) =>
  unwrap((await consolidate(library, proposer, options)).outcome)

/** Names of the live skills. */
export const living = async ({ storage, clock }: Library): Promise<readonly string[]> =>
  unwrap(await new SkillStore({ storage, clock }).list())
    .skills.map(({ name }) => name)
    .sort()

/** The skills and the archive, without sidecars, journals and the state of the curator. */
export const skillFiles = async (storage: StorageBackend): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    Object.entries(await treeOf(storage)).filter(([path]) => !/^skills\/\.(?!archive\/)|^skills\/\.archive\/\.manifests\//.test(path)),
  )

export const UMBRELLA = skillText(
  'pr-triage',
  'Label new and close stale pull requests',
  [
    '# Triage',
    '## Labels',
    'Label new pull requests: put the label needs-review on every new pull request. All labels are in `references/labels.md`, the script is `scripts/label.sh`.',
    '```sh\ngh pr edit --add-label needs-review\n```',
    '## Stale ones',
    'Close stale pull requests: close a pull request without any commit for 60 days.',
    '```sh\ngh pr close --comment stale\n```',
  ].join('\n\n'),
)

export const CREATE = {
  consolidations: [
    { from: 'pr-triage-labels', into: 'pr-triage', method: 'create', reason: 'Both are triage.', score: 0.9 },
    { from: 'pr-triage-stale', into: 'pr-triage', method: 'create', reason: 'Both are triage.', score: 0.9 },
  ],
  prunings: [],
  umbrellas: [{ name: 'pr-triage', content: UMBRELLA }],
}
