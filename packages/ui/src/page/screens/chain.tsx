/** The chain of an entry: what was said, who proposed it, what the gate said, what was written, and what replaced it. */
import type { JournalRecord } from '@hermes/core'
import type { WhyView } from '../../api/views.ts'
import { DiffView } from '../parts/diff-view.tsx'
import { Empty, Facts, Failure, Origin, Pass, When } from '../parts/small-parts.tsx'
import { useData } from '../state/use-data.ts'

export const ACTORS: Readonly<Record<JournalRecord['actor'], string>> = {
  review: 'a review',
  agent: 'the agent',
  host: 'the host’s code',
  person: 'a person',
  curator: 'the curator',
}

const describeRecord = ({ op, upkeep, target, kind, python }: JournalRecord): string => {
  if (python) return `${python.action.replaceAll('_', ' ')} ${python.skill}, in Python Hermes`
  if (op) return `${op.action.replaceAll('_', ' ')}${target === 'skill' && 'name' in op ? ` ${op.name}` : ''}`
  if (upkeep) return `${upkeep.action}${upkeep.subject === undefined ? '' : ` ${upkeep.subject}`}`
  return kind.replaceAll('-', ' ')
}

/** The texts before and after; undefined if the record changed none. */
const textsOf = ({ op, previous = [], upkeep, raw }: JournalRecord): { readonly before: string; readonly after: string } | undefined => {
  if (op?.action === 'patch') return { before: op.oldText, after: op.newText }
  if (op) return { before: previous.join('\n'), after: 'content' in op ? op.content : '' }
  if (upkeep?.before !== undefined || upkeep?.after !== undefined) return { before: upkeep.before ?? '', after: upkeep.after ?? '' }
  return raw === undefined ? undefined : { before: '', after: raw }
}

export const RecordCard = ({ record }: { readonly record: JournalRecord }) => {
  const {
    at,
    kind,
    actor,
    reason,
    rationale,
    score,
    origin,
    evidence = [],
    sessionId,
    project,
    pass,
    error,
    model,
    evicted = [],
    cost,
  } = record
  const texts = textsOf(record)
  return (
    <div class={`record kind-${kind}`}>
      <header>
        <strong class="kind">{kind.replaceAll('-', ' ')}</strong>
        <span>{describeRecord(record)}</span>
        {origin === undefined ? null : <Origin origin={origin} />}
        <span class="quiet">
          <When at={at} />
        </span>
      </header>
      {texts ? <DiffView before={texts.before} after={texts.after} /> : null}
      {evidence.map(({ quote }, index) => (
        <blockquote key={index}>{quote}</blockquote>
      ))}
      <Facts
        facts={[
          ['by', ACTORS[actor]],
          ['saw', pass === undefined ? undefined : <Pass pass={pass} />],
          ['why', reason],
          ['because', rationale],
          ['score', score?.toFixed(2)],
          ['session', sessionId],
          ['project', project],
          ['model', model ?? cost?.model],
          ['tokens', cost ? `${cost.inputTokens} in, ${cost.outputTokens} out` : undefined],
          ['made room', evicted.map(({ text }) => text).join('; ')],
          ['error', error?.message],
        ]}
      />
    </div>
  )
}

/** `project`: of which it is a note. */
export const Chain = ({ text, project }: { readonly text: string; readonly project: string | undefined }) => {
  const { data, error } = useData<WhyView>('why', { text, project })
  if (!data) return <Failure message={error} />
  if (data.records.length === 0) {
    return <Empty>The journal has no record of it: it was written by hand, or its records were too old and are gone.</Empty>
  }
  return (
    <ol class="chain" aria-label="How it came about">
      {data.records.map((record) => (
        <li key={record.id}>
          <RecordCard record={record} />
        </li>
      ))}
    </ol>
  )
}
