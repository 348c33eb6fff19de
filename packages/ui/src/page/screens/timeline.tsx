/** What was learned, day by day: whose words it rests on, what it replaced, and what was taken back or forgotten. */
import type { TimelineEvent, TimelineItem } from '@hermes/core/journal'
import { useState } from 'preact/hooks'
import { storeName } from '../../api/memory-changes.ts'
import type { TimelineView } from '../../api/timeline.ts'
import { TIMELINE_EVENTS } from '../../api/timeline-events.ts'
import { thisMinute } from '../clock.ts'
import { DiffView } from '../parts/diff-view.tsx'
import { formatCount, formatDay, formatTime, plural } from '../parts/format.ts'
import { Empty, Failure, Origin } from '../parts/small-parts.tsx'
import { SpanChoice } from '../parts/span-choice.tsx'
import { about } from '../state/about.ts'
import { act } from '../state/messages.ts'
import { hashOf } from '../state/route.ts'
import { useData } from '../state/use-data.ts'
import { ACTORS } from './chain.tsx'

const wordOf = (event: TimelineEvent): string => event.replace('-', ' ')

/** Where the records of a line are; undefined where nothing is left of them. */
const whyOf = ({ event, target, text, project }: TimelineItem): string | undefined => {
  if (event === 'waits') return hashOf('inbox')
  if (target === undefined || event === 'forgotten') return undefined
  if (target === 'skill') return hashOf('skills', { name: text })
  return hashOf('why', { text, ...(target === 'project' && project !== undefined ? { project } : {}) })
}

const Undo = ({ item: { event, id, takenBackBy } }: { readonly item: TimelineItem }) => {
  if (!about.value?.write || event === 'waits' || event === 'forgotten') return null
  return (
    <button type="button" onClick={() => act(`undo/${encodeURIComponent(takenBackBy ?? id)}`)}>
      {takenBackBy === undefined ? 'Undo' : 'Redo'}
    </button>
  )
}

const Text = ({ item: { event, text, before, target, filePath } }: { readonly item: TimelineItem }) => {
  if (event === 'changed' && before !== undefined) return <DiffView before={before} after={text} />
  const subject = target === 'skill' ? `The skill ${text}${filePath === undefined ? '' : `: ${filePath}`}` : text
  return (
    <>
      <p class="entry-text">{subject}</p>
      {before === undefined ? null : <p class="quiet">instead of: {before}</p>}
    </>
  )
}

const Line = ({ item }: { readonly item: TimelineItem }) => {
  const { event, at, actor, target, origin, sessionId, project, quotes, takenBackBy, python } = item
  const why = whyOf(item)
  return (
    <li class={`entry moment event-${event}${takenBackBy === undefined ? '' : ' taken-back'}`}>
      <div class="moment-head">
        <strong class="kind">{wordOf(event)}</strong>
        <time class="quiet" dateTime={new Date(at).toISOString()}>
          {formatTime(at)}
        </time>
      </div>
      <div>
        <Text item={item} />
        {quotes.map((quote, index) => (
          <blockquote key={index}>{quote}</blockquote>
        ))}
        <div class="entry-facts">
          {takenBackBy === undefined ? null : <span class="tag">taken back</span>}
          {origin === undefined ? null : <Origin origin={origin} />}
          {target === undefined ? null : <span class="tag">{target === 'skill' ? target : storeName(target, project)}</span>}
          <span class="quiet">
            by {ACTORS[actor]}
            {python ? ', in Python Hermes' : null}
            {sessionId === undefined ? '' : `, in ${sessionId}`}
          </span>
          <span class="buttons small">
            {why === undefined ? null : <a href={why}>{event === 'waits' ? 'Decide' : 'Why'}</a>}
            <Undo item={item} />
          </span>
        </div>
      </div>
    </li>
  )
}

export const Timeline = () => {
  const [days, setDays] = useState(30)
  const [text, setText] = useState('')
  const [event, setEvent] = useState('')
  const filter = { days, now: thisMinute(), text: text === '' ? undefined : text, event: event === '' ? undefined : event }
  const { data, error } = useData<TimelineView>('timeline', filter)
  const shown = data?.days.reduce((sum, { items }) => sum + items.length, 0) ?? 0
  return (
    <>
      <header class="head">
        <h1>Timeline</h1>
        <label class="search">
          <span class="unseen">Search the timeline</span>
          <input
            type="search"
            placeholder="Search the timeline"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <label class="choice">
          Show
          <select value={event} onChange={({ currentTarget }) => setEvent(currentTarget.value)}>
            <option value="">everything</option>
            {TIMELINE_EVENTS.map((each) => (
              <option key={each} value={each}>
                {wordOf(each)}
              </option>
            ))}
          </select>
        </label>
        <SpanChoice days={days} onChange={setDays} />
      </header>
      <Failure message={error} />
      {data?.total === 0 ? <Empty>Nothing in this time.</Empty> : null}
      {data?.days.map(({ day, items }) => (
        <section key={day} aria-label={formatDay(day)}>
          <h2>{formatDay(day)}</h2>
          <ol class="entries">
            {items.map((item, index) => (
              // One record may be two lines: what it wrote, and what made room for it.
              <Line key={`${item.id} ${item.event} ${index}`} item={item} />
            ))}
          </ol>
        </section>
      ))}
      {data && data.total > 0 ? (
        <p class="quiet">
          {plural(data.total, 'line')}
          {data.total > shown ? `, of which the newest ${formatCount(shown)} are shown: search to find others` : ''}. Days and times are in
          UTC.
        </p>
      ) : null}
    </>
  )
}
