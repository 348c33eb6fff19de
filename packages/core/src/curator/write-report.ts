/**
 * The report of a run, `logs/curator/<YYYYMMDD-HHMMSS[-N]>/{run.json,REPORT.md}`: for people, and with the keys of Python Hermes where it has them (reference
 * skills-curator 15). Pure.
 */
import { HermesError } from '../shared/hermes-error.ts'
import type { Cut } from '../storage/storage-backend.ts'
import { toPythonJson } from '../usage/python-json.ts'
import { formatPythonTime } from '../usage/python-time.ts'
import { type CuratorReport, countTransitions, type SkillTransition, type SkippedSkill, type SkipReason } from './report.ts'

interface ReportFacts {
  readonly report: CuratorReport
  /** The backup taken before the first change. */
  readonly backupId?: string | undefined
  /** Why the run ended early. */
  readonly error?: string | undefined
  /** The section about the consolidation. */
  readonly consolidation?: string | undefined
}

const SKIP_WORDS: Readonly<Record<SkipReason, string>> = {
  'no-change': 'nothing to change',
  pinned: 'pinned',
  'not-agent-created': 'not written by the agent',
  bundled: 'came with the product',
  hub: 'installed from a hub',
  archived: 'in the archive already',
  missing: 'a record without a skill',
  'no-record': 'handed over, but nothing is known about its use',
  unreadable: 'cannot be read',
  ambiguous: 'several skills have this name',
  'archive-failed': 'its folder cannot be moved',
}

/** Common reasons: listed in one line for each reason. */
const UNREMARKABLE: readonly SkipReason[] = ['no-change', 'not-agent-created', 'bundled', 'hub', 'archived']

/** Makes a name safe for Markdown: anybody may have written the file it comes from. Removes line breaks and markup. */
export const plain = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>|#]/g, '\\$&')
    .trim()

const list = (items: readonly string[]): string => items.map((item) => `- ${item}\n`).join('')

export const section = (title: string, items: readonly string[], level = '##'): string =>
  items.length === 0 ? '' : `\n${level} ${title} (${items.length})\n\n${list(items)}`

const transitionLine = ({ name, from, reason, archivedAs }: SkillTransition): string =>
  `**${plain(name)}** (was ${from}): ${plain(reason)}${archivedAs === undefined ? '' : ` Kept as \`${archivedAs.replaceAll('`', "'")}\`.`}`

const skippedByReason = (skipped: readonly SkippedSkill[]): readonly string[] => {
  const names = new Map<SkipReason, string[]>()
  for (const { name, reason } of skipped) {
    const named = names.get(reason)
    if (named) named.push(plain(name))
    else names.set(reason, [plain(name)])
  }
  return [...names].map(([reason, named]) => `${SKIP_WORDS[reason]} (${named.length}): ${named.join(', ')}`)
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

const renderCuratorReport = ({ report, backupId, error, consolidation }: ReportFacts): string => {
  const { transitioned, skipped, repaired, warnings, checkedAt, finishedAt, dryRun, aborted } = report
  const { checked, markedStale, archived, reactivated } = countTransitions(report)
  const of = (to: SkillTransition['to']) => transitioned.filter((transition) => transition.to === to).map(transitionLine)
  const odd = skipped.filter(({ reason }) => !UNREMARKABLE.includes(reason))
  const archivedSkills = of('archived')
  return [
    `# Curator ${dryRun ? 'preview' : 'run'} of ${formatPythonTime(checkedAt)}\n`,
    dryRun ? '\nNothing was changed: this is what a run would do.\n' : '',
    error === undefined ? '' : `\n**The run ended early:** ${plain(error)}\n`,
    aborted ? '\n**The run was asked to stop.** The next one continues.\n' : '',
    `\n${checked} judged in ${seconds(finishedAt - checkedAt)}: ${markedStale} stale, ${archived} archived, ${reactivated} active again.\n`,
    section('Archived', archivedSkills),
    archivedSkills.length === 0 || dryRun ? '' : '\nNone of them is deleted: `hermes curator restore <name>` brings one back.\n',
    section('Stale', of('stale')),
    section('Active again', of('active')),
    section('Records corrected after a move that was not recorded', repaired.map(plain)),
    section(
      'Not judged',
      odd.map(({ name, reason, detail }) => `**${plain(name)}**: ${SKIP_WORDS[reason]}${detail ? ` (${plain(detail)})` : ''}`),
    ),
    section('Warnings', warnings.map(plain)),
    consolidation ? `\n${consolidation.trim()}\n` : '',
    skipped.length === 0 ? '' : `\n## Left as they are (${skipped.length})\n\n${list(skippedByReason(skipped))}`,
    backupId === undefined ? '' : `\nBackup from before this run: \`${backupId}\` (\`hermes curator rollback ${backupId}\`).\n`,
  ].join('')
}

/** One line, for the state and the status. */
export const summariseReport = (report: CuratorReport): string => {
  const { checked, markedStale, archived, reactivated } = countTransitions(report)
  if (markedStale + archived + reactivated === 0) return `auto: ${checked} checked, no changes`
  return `auto: ${checked} checked, ${markedStale} marked stale, ${archived} archived, ${reactivated} reactivated`
}

export const CURATOR_LOGS_FOLDER = 'logs/curator'

const MAX_SERIAL = 1_000

/** Keys and values for `run.json` that a consolidation fills in; they replace the empty ones. */
export type RunJsonExtras = Readonly<Record<string, unknown>>

export interface RunFacts extends ReportFacts {
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly endedAt: number
  readonly extras?: RunJsonExtras | undefined
}

const folderName = (at: number): string =>
  new Date(at).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length).replace(/[-:]/g, '').replace('T', '-')

const sizeOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0)

const toRunJson = ({ report, startedAt, endedAt, backupId, error, extras = {} }: RunFacts): Readonly<Record<string, unknown>> => {
  const { transitioned, skipped, repaired, warnings, dryRun, aborted } = report
  const { checked, markedStale, archived, reactivated } = countTransitions(report)
  const names = transitioned.filter(({ to }) => to === 'archived').map(({ name }) => name)
  return {
    started_at: formatPythonTime(startedAt),
    duration_seconds: (endedAt - startedAt) / 1000,
    model: null,
    provider: null,
    auto_transitions: { checked, marked_stale: markedStale, archived, reactivated, seeded: 0 },
    counts: {
      archived_this_run: archived,
      state_transitions: transitioned.length,
      skipped: skipped.length,
      repaired: repaired.length,
      consolidated_this_run: sizeOf(extras['consolidated']),
      pruned_this_run: sizeOf(extras['pruned']),
      added_this_run: sizeOf(extras['added']),
      tool_calls_total: 0,
    },
    archived: names,
    consolidated: [],
    pruned: [],
    pruned_names: [],
    added: [],
    state_transitions: transitioned.map(({ name, from, to, reason, archivedAs }) => ({
      name,
      from,
      to,
      reason,
      ...(archivedAs === undefined ? {} : { archived_as: archivedAs }),
    })),
    skipped,
    repaired,
    warnings,
    dry_run: dryRun,
    aborted,
    backup: backupId ?? null,
    error: error ?? null,
    llm_summary: null,
    ...extras,
  }
}

/** The first free folder for a report of this second, in a cut that lists `logs/curator/`. */
export const reportFolder = (cut: Cut, startedAt: number): string => {
  const base = `${CURATOR_LOGS_FOLDER}/${folderName(startedAt)}`
  for (let serial = 1; serial <= MAX_SERIAL; serial++) {
    const folder = serial === 1 ? base : `${base}-${serial}`
    if (cut.list(folder).length === 0) return folder
  }
  throw new HermesError('occupied', `There are ${MAX_SERIAL} reports of this second already. Clear '${CURATOR_LOGS_FOLDER}'.`)
}

export const reportPuts = (folder: string, facts: RunFacts): Readonly<Record<string, Uint8Array>> => {
  const encoder = new TextEncoder()
  return {
    [`${folder}/run.json`]: encoder.encode(`${toPythonJson(toRunJson(facts))}\n`),
    [`${folder}/REPORT.md`]: encoder.encode(renderCuratorReport(facts)),
  }
}
