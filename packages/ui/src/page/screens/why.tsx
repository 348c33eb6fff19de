/** The memory, and for each entry the chain that led to it. */
import { useState } from 'preact/hooks'
import { storeName } from '../../api/memory-changes.ts'
import type { ArchivedEntryView, EntryView, MemoryView } from '../../api/views.ts'
import { ForgetDialog, ForgetForm } from '../parts/forget-dialog.tsx'
import { Empty, Failure, Gauge, Origin, When } from '../parts/small-parts.tsx'
import { TextEditor } from '../parts/text-editor.tsx'
import { about } from '../state/about.ts'
import { act } from '../state/messages.ts'
import { go, hashOf, route } from '../state/route.ts'
import { useData } from '../state/use-data.ts'
import { Chain } from './chain.tsx'

const LABELS = {
  memory: 'the agent’s own notes',
  user: 'what it knows about the user',
  project: 'notes on this project alone',
  profile: 'fields about the user',
} as const

/** The address of an entry, in the memory of the person or among the notes on a project. */
const placeOf = (text: string, project: string | undefined): string =>
  hashOf('why', { text, ...(project === undefined ? {} : { project }) })

/** Erases a text for good, after asking. */
const Forget = ({ text }: { readonly text: string }) => {
  const [asked, setAsked] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setAsked(true)}>
        Forget…
      </button>
      {asked ? <ForgetDialog text={text} onClose={() => setAsked(false)} /> : null}
    </>
  )
}

interface Shown<T> {
  readonly entry: T
  /** Of which it is a note. */
  readonly project: string | undefined
  readonly open: boolean
}

const Entry = ({ entry, project, open }: Shown<EntryView>) => {
  const { target, text, origin, pinned, time, blockedFor, lastConfirmedAt } = entry
  const write = about.value?.write ?? false
  const [editing, setEditing] = useState(false)
  const change = (action: string) => act('memory', { action, project, target, text })
  const save = async (content: string): Promise<void> => {
    if (await act('memory', { action: 'replace', project, target, text, content })) setEditing(false)
  }
  return (
    <li class={`entry${open ? ' open' : ''}`}>
      <a class="entry-text" href={placeOf(text, project)} aria-current={open}>
        {text}
      </a>
      <div class="entry-facts">
        <Origin origin={origin} />
        {pinned ? <span class="tag">pinned</span> : null}
        {time === '' ? null : <span class="tag">{time}</span>}
        {lastConfirmedAt === 0 ? null : (
          <span class="quiet">
            confirmed <When at={lastConfirmedAt} />
          </span>
        )}
        {write ? (
          <span class="buttons small">
            <button type="button" onClick={() => change(pinned ? 'unpin' : 'pin')}>
              {pinned ? 'Unpin' : 'Pin'}
            </button>
            <button type="button" onClick={() => setEditing(true)}>
              Edit
            </button>
            <button type="button" onClick={() => change('remove')}>
              Remove
            </button>
            <Forget text={text} />
          </span>
        ) : null}
      </div>
      {editing ? <TextEditor label="Replace it with" text={text} onSave={save} onCancel={() => setEditing(false)} /> : null}
      {blockedFor.length === 0 ? null : <p class="problem">Hidden from the agent: {blockedFor.join(', ')}</p>}
      {open ? <Chain text={text} project={project} /> : null}
    </li>
  )
}

const Archived = ({ entry, project, open }: Shown<ArchivedEntryView>) => {
  const { id, target, text, origin, forgottenAt, reason, replacedBy, restorable } = entry
  return (
    <li class={`entry${open ? ' open' : ''}`}>
      <a class="entry-text" href={placeOf(text, project)} aria-current={open}>
        {text}
      </a>
      <div class="entry-facts">
        <Origin origin={origin} />
        <span class="tag">{storeName(target, project)}</span>
        <span class="quiet">
          archived <When at={forgottenAt} />
          {reason === undefined ? '' : ` · ${reason}`}
        </span>
        {about.value?.write && restorable ? (
          <span class="buttons small">
            <button type="button" onClick={() => act('memory', { action: 'restore', project, id })}>
              Restore
            </button>
            <Forget text={text} />
          </span>
        ) : null}
      </div>
      {replacedBy === undefined ? null : <p class="quiet">now: {replacedBy}</p>}
      {open ? <Chain text={text} project={project} /> : null}
    </li>
  )
}

const Projects = ({ projects, project = '' }: Pick<MemoryView, 'projects' | 'project'>) => {
  if (projects.length === 0 && project === '') return null
  const names = project === '' || projects.includes(project) ? projects : [...projects, project]
  return (
    <label class="choice">
      Memory of
      <select value={project} onChange={({ currentTarget: { value } }) => (value === '' ? go('why') : go('why', { project: value }))}>
        <option value="">the person</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

export const Why = () => {
  const [query, setQuery] = useState('')
  const { text: asked, project: of } = route.value.params
  const { data, error } = useData<MemoryView>('memory', { query, project: of })
  if (!data) return <Failure message={error} />
  const { projects, project, budgets, entries, archived, archivedTotal, shared, problems } = data
  const inTarget = budgets.map((budget) => ({ ...budget, found: entries.filter(({ target }) => target === budget.target) }))
  const isSearch = query !== ''
  const isListed = entries.some(({ text }) => text === asked) || archived.some(({ text }) => text === asked)
  return (
    <>
      <header class="head">
        <h1>Why</h1>
        <Projects projects={projects} project={project} />
        <label class="search">
          <span class="unseen">Search the memory</span>
          <input type="search" placeholder="Search the memory" value={query} onInput={(event) => setQuery(event.currentTarget.value)} />
        </label>
      </header>
      <Failure message={error} />
      {problems.map((problem) => (
        <Failure key={problem} message={problem} />
      ))}
      {asked !== undefined && !isListed ? (
        <section aria-label="Chain">
          <h2>{asked}</h2>
          <Chain text={asked} project={project} />
        </section>
      ) : null}
      {isSearch && entries.length + archivedTotal + shared.length === 0 ? <Empty>No entry matches, here or in the archive.</Empty> : null}
      {inTarget.map(({ target, usedChars, charLimit, found }) =>
        isSearch && found.length === 0 ? null : (
          <section key={target} aria-label={storeName(target, project)}>
            <h2>{storeName(target, project)}</h2>
            <Gauge label={LABELS[target]} used={usedChars} limit={charLimit} />
            <ul class="entries">
              {found.map((entry) => (
                <Entry key={entry.text} entry={entry} project={project} open={entry.text === asked} />
              ))}
            </ul>
          </section>
        ),
      )}
      {shared.length === 0 ? null : (
        <section aria-label="Shared by the team">
          <h2>
            Shared by the team <span class="number">{shared.length}</span>
          </h2>
          <p class="quiet">Read only: whoever keeps these notes changes them.</p>
          <ul class="entries">
            {shared.map(({ text, time }) => (
              <li key={text} class="entry">
                <span class="entry-text">{text}</span>
                <div class="entry-facts">{time === '' ? null : <span class="tag">{time}</span>}</div>
              </li>
            ))}
          </ul>
        </section>
      )}
      {isSearch && archivedTotal === 0 ? null : (
        <section aria-label="Archive">
          <h2>
            Archive <span class="number">{archivedTotal}</span>
          </h2>
          {archivedTotal === 0 ? <Empty>Nothing was removed yet. Whatever leaves the memory is kept here.</Empty> : null}
          <ul class="entries">
            {archived.map((entry) => (
              <Archived key={entry.id} entry={entry} project={project} open={entry.text === asked} />
            ))}
          </ul>
          {archivedTotal > archived.length ? <p class="quiet">The newest {archived.length} are shown. Search to find others.</p> : null}
        </section>
      )}
      {about.value?.write ? <ForgetForm /> : null}
    </>
  )
}
