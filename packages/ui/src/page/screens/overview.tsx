/** The first screen: what was learned last, how much waits, and in an empty home how to begin. */
import type { JournalRecord } from '@hermes/core'
import { storeName } from '../../api/memory-changes.ts'
import type { OverviewView } from '../../api/overview.ts'
import { plural } from '../parts/format.ts'
import { Empty, Failure, Origin, When } from '../parts/small-parts.tsx'
import { about } from '../state/about.ts'
import { hashOf } from '../state/route.ts'
import { useData } from '../state/use-data.ts'
import { ACTORS } from './chain.tsx'

type Op = NonNullable<JournalRecord['op']>

const VERBS: Readonly<Record<Op['action'], string>> = {
  add: 'added',
  replace: 'replaced',
  remove: 'removed',
  create: 'written',
  edit: 'rewritten',
  patch: 'changed',
  write_file: 'file written',
  remove_file: 'file removed',
  archive: 'archived',
}

const placeOf = ({ target = 'memory', project }: JournalRecord): string => (target === 'skill' ? target : storeName(target, project))

/** What was learned, and where its records are. */
const subjectOf = (op: Op, { target, project }: JournalRecord): { readonly text: string; readonly href: string } => {
  if ('name' in op) return { text: op.name, href: hashOf('skills', { name: op.name }) }
  const text = op.action === 'remove' ? op.oldText : op.content
  return { text, href: hashOf('why', { text, ...(target === 'project' && project !== undefined ? { project } : {}) }) }
}

const Learned = ({ record }: { readonly record: JournalRecord }) => {
  const { op, target, at, actor, origin } = record
  if (!op || target === undefined) return null
  const { text, href } = subjectOf(op, record)
  return (
    <li class="entry">
      <a class="entry-text" href={href} title="Its records in the journal">
        {text}
      </a>
      <div class="entry-facts">
        {origin === undefined ? null : <Origin origin={origin} />}
        <span class="tag">{placeOf(record)}</span>
        <span class="quiet">
          {VERBS[op.action]} by {ACTORS[actor]}, <When at={at} />
        </span>
      </div>
    </li>
  )
}

const Waiting = ({ count }: { readonly count: number }) =>
  count === 0 ? (
    <Empty>Nothing waits for you.</Empty>
  ) : (
    <p>
      <a href={hashOf('inbox')}>
        {plural(count, 'proposal')} {count === 1 ? 'waits' : 'wait'} for you
      </a>{' '}
      in the inbox.
    </p>
  )

const HowToBegin = () => (
  <ol class="begin">
    <li>
      Give your agent a memory: <code>withHermes(model, hermes.session())</code> in your app, or write the first entry yourself:{' '}
      <code>hermes memory add --to user "Lives in Lisbon"</code>.
    </li>
    <li>
      Talk with it. The agent saves what you ask it to remember; every ten turns, and when a conversation ends, a review reads what was said
      and proposes what to keep.
    </li>
    <li>
      Decide in the <a href={hashOf('inbox')}>inbox</a> what is held back, such as a rule from a web page.
      {about.value?.write ? null : (
        <>
          {' '}
          For that, start <code>hermes ui --write</code>.
        </>
      )}
    </li>
  </ol>
)

const Nothing = ({ entries }: { readonly entries: number }) =>
  entries === 0 ? (
    <>
      <Empty>Nothing yet. It begins like this:</Empty>
      <HowToBegin />
    </>
  ) : (
    <Empty>
      The journal does not say how memory came by its <a href={hashOf('why')}>{plural(entries, 'entry', 'entries')}</a>: written by hand, or
      too long ago.
    </Empty>
  )

export const Overview = () => {
  const { data, error } = useData<OverviewView>('overview')
  if (!data) return <Failure message={error} />
  const { learned, waiting, entries } = data
  return (
    <>
      <header class="head">
        <h1>Overview</h1>
      </header>
      <Failure message={error} />
      <Waiting count={waiting} />
      <section aria-label="Learned last">
        <h2>Learned last</h2>
        {learned.length === 0 ? <Nothing entries={entries} /> : null}
        <ul class="entries">
          {learned.map((record) => (
            <Learned key={record.id} record={record} />
          ))}
        </ul>
      </section>
    </>
  )
}
