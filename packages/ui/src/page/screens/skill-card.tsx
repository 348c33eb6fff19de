/** One skill: its text, its use, and every change of it as a diff. */
import { useEffect, useRef } from 'preact/hooks'
import type { MergeView, SkillDetail } from '../../api/views.ts'
import { endOfDay } from '../clock.ts'
import { DayBars } from '../parts/day-bars.tsx'
import { DiffView } from '../parts/diff-view.tsx'
import { formatCount } from '../parts/format.ts'
import { TextBlock } from '../parts/scroll-area.tsx'
import { Facts, Failure, When } from '../parts/small-parts.tsx'
import { about } from '../state/about.ts'
import { act } from '../state/messages.ts'
import { useData } from '../state/use-data.ts'
import { RecordCard } from './chain.tsx'

const Buttons = ({ row, onClose }: { readonly row: SkillDetail['row']; readonly onClose: () => void }) => (
  <div class="buttons">
    <button type="button" onClick={() => act('skills', { action: row.pinned ? 'unpin' : 'pin', name: row.name })}>
      {row.pinned ? 'Unpin' : 'Pin'}
    </button>
    <button
      type="button"
      onClick={async () => {
        if (await act('skills', { action: 'archive', name: row.name })) onClose()
      }}
    >
      Archive
    </button>
  </div>
)

/** Each skill that became part of this one, as the difference between its text and the present one. */
const Merges = ({ merges, content }: { readonly merges: readonly MergeView[]; readonly content: string }) => (
  <>
    <h3>Merged into it</h3>
    <ol class="chain" aria-label="Merged into it">
      {merges.map(({ id, name, archivedAt, reason, text }) => (
        <li key={id}>
          <div class="record">
            <header>
              <strong>{name}</strong>
              <span class="quiet">
                archived <When at={archivedAt} />
                {reason === undefined ? '' : ` · ${reason}`}
              </span>
              {about.value?.write ? (
                <span class="buttons small">
                  <button type="button" onClick={() => act('skills', { action: 'restore', name: id })}>
                    Restore
                  </button>
                </span>
              ) : null}
            </header>
            {text === undefined ? <p class="quiet">Its text is only in the archive.</p> : <DiffView before={text} after={content} />}
          </div>
        </li>
      ))}
    </ol>
  </>
)

export const SkillCard = ({ name, onClose }: { readonly name: string; readonly onClose: () => void }) => {
  const { data, error } = useData<SkillDetail>('skill', { name, now: endOfDay() })
  const heading = useRef<HTMLHeadingElement>(null)
  const isThere = data !== undefined
  useEffect(() => heading.current?.focus(), [name, isThere])
  if (!data) return <Failure message={error} />
  const { row, content, files, merges, records } = data
  return (
    <article class="card selected" aria-labelledby="skill-title">
      <header>
        <h2 id="skill-title" ref={heading} tabIndex={-1}>
          {row.name}
        </h2>
        <span class="quiet">skills/{row.path}</span>
        <button type="button" class="plain" onClick={onClose}>
          Close
        </button>
      </header>
      <p>{row.description}</p>
      <Facts
        facts={[
          [
            'uses',
            `${formatCount(row.useCount)}, viewed ${formatCount(row.viewCount)} times, changed ${formatCount(row.patchCount)} times`,
          ],
          ['last 60 days', <DayBars key="daily" daily={row.daily} />],
          ['outcome', `${formatCount(row.successCount)} turns ended well, ${formatCount(row.correctionCount)} corrections`],
          [
            'failures',
            `${formatCount(row.failureCount)} turns with a failed tool, ${formatCount(row.repairCount)} repairs${row.failing ? '; look at it' : ''}`,
          ],
          ['last used', <When key="used" at={row.lastUsedAt} />],
          ['state', `${row.shared ? 'shared, read only' : row.state}${row.pinned ? ', pinned' : ''}`],
          ['written by', row.createdBy ?? undefined],
          ['files', files.join(', ')],
        ]}
      />
      {about.value?.write && !row.shared ? <Buttons row={row} onClose={onClose} /> : null}
      <h3>SKILL.md</h3>
      <TextBlock label="SKILL.md" text={content} />
      {merges.length === 0 ? null : <Merges merges={merges} content={content} />}
      <h3>History</h3>
      {records.length === 0 ? <p class="quiet">The journal has no record of it.</p> : null}
      <ol class="chain">
        {records.map((record) => (
          <li key={record.id}>
            <RecordCard record={record} />
          </li>
        ))}
      </ol>
    </article>
  )
}
