/** The journal, newest first, a page at a time. */
import { useEffect, useState } from 'preact/hooks'
import type { JournalPage } from '../../api/views.ts'
import { Empty, Failure } from '../parts/small-parts.tsx'
import { get } from '../state/api.ts'
import { tellFailure } from '../state/messages.ts'
import { useData } from '../state/use-data.ts'
import { RecordCard } from './chain.tsx'

const PAGE = 50
const KINDS = [
  'applied',
  'held',
  'rejected',
  'settled',
  'failed',
  'invalid',
  'review-retried',
  'review-finished',
  'review-failed',
  'curator-finished',
] as const

export const JournalList = () => {
  const [text, setText] = useState('')
  const [kind, setKind] = useState('')
  const filter = { limit: PAGE, text: text === '' ? undefined : text, kind: kind === '' ? undefined : kind }
  const { data, error } = useData<JournalPage>('journal', filter)
  const [more, setMore] = useState<readonly JournalPage[]>([])
  useEffect(() => setMore([]), [data])
  const pages = data ? [data, ...more] : []
  const next = pages.at(-1)?.next
  const showMore = async (): Promise<void> => {
    if (!next) return
    try {
      setMore([...more, await get<JournalPage>('journal', { ...filter, ...next })])
    } catch (cause) {
      tellFailure(cause)
    }
  }
  return (
    <section aria-label="Journal">
      <header class="head">
        <h2>Journal</h2>
        <label class="search">
          <span class="unseen">Search the journal</span>
          <input type="search" placeholder="Search the journal" value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <label class="choice">
          Kind
          <select value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
            <option value="">all</option>
            {KINDS.map((each) => (
              <option key={each} value={each}>
                {each.replaceAll('-', ' ')}
              </option>
            ))}
          </select>
        </label>
      </header>
      <Failure message={error} />
      {data?.records.length === 0 ? <Empty>No record matches.</Empty> : null}
      <ol class="chain">
        {pages
          .flatMap(({ records }) => records)
          .map((record) => (
            <li key={record.id}>
              <RecordCard record={record} />
            </li>
          ))}
      </ol>
      {next ? (
        <button type="button" onClick={() => void showMore()}>
          Show older records
        </button>
      ) : null}
    </section>
  )
}
