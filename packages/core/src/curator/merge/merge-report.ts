/** The report of a consolidation: a section for people, a line for the status, keys for run.json (reference skills-curator 15). Pure. */
import type { HermesError } from '../../shared/hermes-error.ts'
import type {
  ConsolidationReport,
  ConsolidationStop,
  HeldConsolidation,
  MergedSkill,
  PrunedSkill,
  RefusedConsolidation,
} from '../report.ts'
import { plain, type RunJsonExtras, section } from '../write-report.ts'

/** What a consolidation adds to the report of the run. */
export interface ConsolidationNote {
  /** A section of REPORT.md, beginning with its heading. */
  readonly text: string
  /** Appended to the one-line summary of the run. */
  readonly summary: string
  /** For run.json. */
  readonly extras: RunJsonExtras
}

/** What the merging of a run has done so far. */
export class MergeTally {
  readonly consolidated: MergedSkill[] = []
  readonly pruned: PrunedSkill[] = []
  readonly created: string[] = []
  readonly refused: RefusedConsolidation[] = []
  readonly held: HeldConsolidation[] = []
  readonly words: string[] = []
  readonly problems: HermesError[] = []
  readonly clusters = { asked: 0, unchanged: 0, left: 0 }
  stopped: ConsolidationStop | undefined

  toReport(dryRun: boolean, spent: Pick<ConsolidationReport, 'calls' | 'inputTokens' | 'outputTokens'>): ConsolidationReport {
    const { consolidated, pruned, created, refused, held, words, problems, clusters, stopped } = this
    return { dryRun, consolidated, pruned, created, refused, held, words, problems, clusters, stopped, ...spent }
  }
}

const STOP_WORDS: Readonly<Record<ConsolidationStop, string>> = {
  steps: 'the maximum number of calls was reached',
  tokens: 'the token budget is used up',
  time: 'the time limit was reached',
  model: 'the model failed',
  aborted: 'it was asked to stop',
}

/** Indented as code, so that the model's prose cannot be mistaken for the report's own text. */
const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')

const part = (title: string, items: readonly string[]): string => section(title, items, '###')

const names = (list: readonly string[]): string => list.map((name) => `**${plain(name)}**`).join(', ')

const mergedLine = ({ name, into, method, reason, archivedAs }: MergedSkill): string => {
  const where = archivedAs === undefined ? '' : ` (\`${archivedAs}\`)`
  return `**${plain(name)}** → **${plain(into)}** (${method}): ${plain(reason)}${where}`
}

const refusedLine = ({ names: list, into, why }: RefusedConsolidation): string => {
  const target = into === undefined ? '' : `${list.length > 0 ? ' → ' : ''}**${plain(into)}**`
  return `${names(list)}${target}${list.length + target.length > 0 ? ': ' : ''}${plain(why)}`
}

const heldLine = ({ names: list, into, why, pendingIds }: HeldConsolidation): string => {
  const target = into === undefined ? '' : ` → **${plain(into)}**`
  const ids = pendingIds.length === 0 ? '' : ` (${pendingIds.map((id) => `\`${id}\``).join(', ')})`
  return `${names(list)}${target}: ${plain(why)}${ids}`
}

const text = (report: ConsolidationReport): string => {
  const { consolidated, pruned, created, refused, held, words, clusters, calls, inputTokens, outputTokens, stopped } = report
  const { problems, dryRun } = report
  const asked = `${clusters.asked} groups sent to the model, ${clusters.unchanged} unchanged since the last run, ${clusters.left} left for the next run.`
  const cost = `${calls} model calls, about ${inputTokens} tokens in and ${outputTokens} out.`
  return [
    '## Consolidation\n',
    `\n${asked} ${cost}\n`,
    stopped ? `\n**It ended early:** ${STOP_WORDS[stopped]}. The next run continues.\n` : '',
    part(dryRun ? 'Would be merged' : 'Merged', consolidated.map(mergedLine)),
    part(
      'New umbrellas',
      created.map((name) => `**${plain(name)}**`),
    ),
    part(
      'Put away',
      pruned.map(({ name, reason }) => `**${plain(name)}**: ${plain(reason)}`),
    ),
    consolidated.length + pruned.length === 0 || dryRun
      ? ''
      : '\nNone of them is deleted: `hermes curator restore <name>` brings one back.\n',
    part('Waiting for your approval', held.map(heldLine)),
    held.some(({ into }) => into !== undefined)
      ? '\nNone of these skills has moved. When you approve a merge, its text is written and its skills go to the archive, at once.\n'
      : '',
    part('Refused', refused.map(refusedLine)),
    part(
      'Problems',
      problems.map(({ message }) => plain(message)),
    ),
    words.length === 0 ? '' : `\n### What the model wrote\n\n${words.map(quoted).join('\n\n')}\n`,
  ].join('')
}

const summary = ({ consolidated, pruned, held, refused, stopped }: ConsolidationReport): string => {
  const counts = [
    `${consolidated.length} merged`,
    ...(pruned.length > 0 ? [`${pruned.length} archived`] : []),
    ...(held.length > 0 ? [`${held.length} waiting`] : []),
    ...(refused.length > 0 ? [`${refused.length} refused`] : []),
    ...(stopped ? [`ended early: ${STOP_WORDS[stopped]}`] : []),
  ]
  return `llm: ${counts.join(', ')}`
}

/** The note for REPORT.md, run.json and the state. */
export const toConsolidationNote = (report: ConsolidationReport): ConsolidationNote => {
  const { consolidated, pruned, created, refused, held, words, calls, clusters, inputTokens, outputTokens, stopped, problems } = report
  return {
    text: text(report),
    summary: summary(report),
    extras: {
      consolidated: consolidated.map(({ name, into, method, reason, files, archivedAs }) => ({
        name,
        into,
        source: 'declared',
        reason,
        method,
        files,
        archived_as: archivedAs ?? null,
      })),
      pruned: pruned.map(({ name, reason, archivedAs }) => ({ name, source: 'declared-prune', reason, archived_as: archivedAs ?? null })),
      pruned_names: pruned.map(({ name }) => name),
      added: created,
      refused,
      held,
      clusters,
      llm_final: words.join('\n\n'),
      llm_summary: summary(report),
      llm_error: problems.length === 0 ? null : problems.map(({ message }) => message).join(' '),
      llm_calls: calls,
      llm_input_tokens: inputTokens,
      llm_output_tokens: outputTokens,
      llm_stopped: stopped ?? null,
    },
  }
}
