/** The curator: its runs, the archive of skills, the backups and the way back to one. */
import { useState } from 'preact/hooks'
import type { BackupRow, UpkeepView } from '../../api/views.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { formatBytes, formatInstant, plural } from '../parts/format.ts'
import { Failure, When } from '../parts/small-parts.tsx'
import { about } from '../state/about.ts'
import { act, start } from '../state/messages.ts'
import { useData } from '../state/use-data.ts'

const Archive = ({ view }: { readonly view: UpkeepView }) => (
  <ul class="entries">
    {view.archived.map(({ id, name, archivedAt, reason, absorbedInto }) => (
      <li key={id} class="entry">
        <span class="entry-text">{name}</span>
        <div class="entry-facts">
          <span class="quiet">
            archived <When at={archivedAt} />
            {reason === undefined ? '' : ` · ${reason}`}
            {absorbedInto === undefined ? '' : ` · merged into ${absorbedInto}`}
          </span>
          {about.value?.write ? (
            <span class="buttons small">
              <button type="button" onClick={() => act('skills', { action: 'restore', name: id })}>
                Restore
              </button>
            </span>
          ) : null}
        </div>
      </li>
    ))}
  </ul>
)

const Backups = ({ backups, onChoose }: { readonly backups: readonly BackupRow[]; readonly onChoose: (backup: BackupRow) => void }) => (
  <ul class="entries">
    {backups.map((backup) => (
      <li key={backup.id} class="entry">
        <span class="entry-text">{backup.id}</span>
        <div class="entry-facts">
          <span class="quiet">
            {plural(backup.skillCount, 'skill')} · {formatBytes(backup.bytes)} · {backup.reason}
          </span>
          {about.value?.write ? (
            <span class="buttons small">
              <button type="button" onClick={() => onChoose(backup)}>
                Roll back
              </button>
            </span>
          ) : null}
        </div>
      </li>
    ))}
  </ul>
)

const Contents = () => {
  const { data, error } = useData<UpkeepView>('upkeep')
  const [chosen, setChosen] = useState<BackupRow>()
  if (!data) return <Failure message={error} />
  return (
    <>
      <Failure message={error} />
      <p class="quiet">
        {data.running ? (
          'A run is in progress.'
        ) : (
          <>
            Last run: <When at={data.lastRunAt} />.
          </>
        )}{' '}
        {data.paused ? 'Scheduled runs are paused.' : ''}
      </p>
      {about.value?.write ? (
        <div class="buttons">
          <button type="button" onClick={() => start('jobs/curate')}>
            Run the curator now
          </button>
        </div>
      ) : null}
      {data.problems.map((problem) => (
        <Failure key={problem} message={problem} />
      ))}
      <h3>
        Archive <span class="number">{data.archivedTotal}</span>
      </h3>
      <Archive view={data} />
      <h3>
        Backups <span class="number">{data.backups.length}</span>
      </h3>
      <Backups backups={data.backups} onChoose={setChosen} />
      {chosen ? (
        <ConfirmDialog
          title={`Restore all skills from ${formatInstant(chosen.createdAt)}?`}
          action="Roll back"
          onConfirm={() => start('jobs/rollback', { id: chosen.id })}
          onClose={() => setChosen(undefined)}
        >
          The current skills are backed up first; newer skills go to the archive. The way back is the backup that is taken now.
        </ConfirmDialog>
      ) : null}
    </>
  )
}

/** Read only once it is opened: it looks at every skill. */
export const Upkeep = () => {
  const [open, setOpen] = useState(false)
  return (
    <details class="upkeep" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Upkeep: archive, backups, curator</summary>
      {open ? <Contents /> : null}
    </details>
  )
}
