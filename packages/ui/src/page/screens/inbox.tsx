/** What waits for a person, decided from the keyboard. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { InboxItem, InboxView } from '../../api/views.ts'
import { Empty, Failure, Key } from '../parts/small-parts.tsx'
import { about } from '../state/about.ts'
import { owner } from '../state/api.ts'
import { useKeys } from '../state/keys.ts'
import { act, undo } from '../state/messages.ts'
import { useData } from '../state/use-data.ts'
import { useDecisions } from '../state/use-decisions.ts'
import { Proposal } from './proposal.tsx'

const PAGE = 100

const Help = ({ write }: { readonly write: boolean }) => (
  <p class="keys">
    <Key name="j" /> <Key name="k" /> next, previous
    {write ? (
      <>
        {' · '}
        <Key name="a" /> approve · <Key name="e" /> edit · <Key name="r" /> reject · <Key name="z" /> undo
      </>
    ) : (
      ' · read only: start with --write to decide'
    )}
  </p>
)

export const Inbox = () => {
  const { data, error, reading } = useData<InboxView>('inbox', { limit: PAGE })
  const decisions = useDecisions()
  const selected = useRef(0)
  const [, draw] = useState(0)
  const [editing, setEditing] = useState<string>()
  /** What could not be saved, by proposal. */
  const drafts = useRef(new Map<string, string>())
  const list = useRef<HTMLOListElement>(null)
  const write = about.value?.write ?? false
  /** As of now: a key may come before the next drawing. */
  const openItems = () => (data?.items ?? []).filter(({ id }) => decisions.isOpen(id, reading))
  const items = openItems()
  const indexIn = (open: readonly InboxItem[]) => Math.max(0, Math.min(selected.current, open.length - 1))
  const index = indexIn(items)
  const current = items[index]
  const select = (position: number): void => {
    selected.current = position
    draw((count) => count + 1)
  }

  const focus = (position: number): void => {
    select(position)
    const found = list.current?.children[position]?.querySelector('article')
    if (found instanceof HTMLElement) found.focus()
  }
  // After a decision the next item moves up and takes the focus.
  useEffect(() => {
    if (editing === undefined && document.activeElement === document.body) {
      const found = list.current?.children[index]?.querySelector('article')
      if (found instanceof HTMLElement) found.focus({ preventScroll: false })
    }
  }, [current?.id, editing])

  const decide = (item: InboxItem | undefined, verb: 'approve' | 'reject'): void => {
    if (!item || !write) return
    setEditing(undefined)
    const of = owner.value
    decisions.decide(item.id, () => act(`inbox/${encodeURIComponent(item.id)}/${verb}`, {}, of))
  }
  const save = ({ id }: InboxItem, content: string): void => {
    setEditing(undefined)
    const of = owner.value
    decisions.decide(id, async () => {
      const isSaved = await act(`inbox/${encodeURIComponent(id)}/edit`, { content }, of)
      if (isSaved) drafts.current.delete(id)
      else {
        drafts.current.set(id, content)
        setEditing((other) => other ?? id)
      }
      return isSaved
    })
  }
  const cancel = ({ id }: InboxItem): void => {
    drafts.current.delete(id)
    setEditing(undefined)
  }
  const chosen = (): InboxItem | undefined => {
    const open = openItems()
    return open[indexIn(open)]
  }
  const move = (by: number): void => focus(Math.max(0, Math.min(items.length - 1, indexIn(items) + by)))
  const edit = (item: InboxItem | undefined): void => {
    if (write && item?.editable !== undefined) setEditing(item.id)
  }
  useKeys({
    j: () => move(1),
    ArrowDown: () => move(1),
    k: () => move(-1),
    ArrowUp: () => move(-1),
    a: () => decide(chosen(), 'approve'),
    r: () => decide(chosen(), 'reject'),
    e: () => edit(chosen()),
    z: () => void undo(),
  })

  if (!data) return <Failure message={error} />
  const waiting = data.total - (data.items.length - items.length)
  return (
    <>
      <header class="head">
        <h1>
          Inbox <span class="number">{waiting}</span>
        </h1>
        <Help write={write} />
      </header>
      <Failure message={error} />
      {items.length === 0 ? <Empty>Nothing waits for you. What the gate holds back appears here.</Empty> : null}
      <ol class="inbox" ref={list}>
        {items.map((item, position) => (
          <li key={item.id}>
            <Proposal
              item={item}
              selected={position === index}
              editing={editing === item.id}
              draft={drafts.current.get(item.id)}
              write={write}
              onSelect={() => select(position)}
              onApprove={() => decide(item, 'approve')}
              onReject={() => decide(item, 'reject')}
              onEdit={() => edit(item)}
              onSave={(content) => save(item, content)}
              onCancel={() => cancel(item)}
            />
          </li>
        ))}
      </ol>
      {data.total > data.items.length ? (
        <p class="quiet">
          The oldest {data.items.length} are shown; {data.total - data.items.length} more follow.
        </p>
      ) : null}
    </>
  )
}
