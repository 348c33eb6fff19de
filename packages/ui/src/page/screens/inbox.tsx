/** What waits for a person, decided from the keyboard. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { InboxItem, InboxView } from '../../api/views.ts'
import { Empty, Failure, Key } from '../parts/small-parts.tsx'
import { about } from '../state/about.ts'
import { useKeys } from '../state/keys.ts'
import { act, undo } from '../state/messages.ts'
import { useData } from '../state/use-data.ts'
import { Proposal } from './proposal.tsx'

const PAGE = 100

/** Decided here, and still in a list that was read before. */
const useDecided = (items: readonly InboxItem[] | undefined) => {
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set())
  // Once the server no longer lists an item, an undo may bring the same id back.
  useEffect(() => {
    if (items) setDecided((before) => new Set([...before].filter((id) => items.some((item) => item.id === id))))
  }, [items])
  const set = (id: string, isDecided: boolean) =>
    setDecided((before) => {
      const next = new Set(before)
      if (isDecided) next.add(id)
      else next.delete(id)
      return next
    })
  return { decided, set }
}

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
  const { data, error } = useData<InboxView>('inbox', { limit: PAGE })
  const { decided, set } = useDecided(data?.items)
  const [selected, setSelected] = useState(0)
  const [editing, setEditing] = useState<string>()
  const list = useRef<HTMLOListElement>(null)
  const write = about.value?.write ?? false
  const items = (data?.items ?? []).filter(({ id }) => !decided.has(id))
  const index = Math.min(selected, items.length - 1)
  const current = items[index]

  const focus = (position: number): void => {
    setSelected(position)
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

  const decide = (item: InboxItem | undefined, verb: 'approve' | 'reject' | 'edit', body?: unknown): void => {
    if (!item || !write) return
    set(item.id, true)
    setEditing(undefined)
    void act(`inbox/${encodeURIComponent(item.id)}/${verb}`, body).then((worked) => worked || set(item.id, false))
  }
  const move = (by: number): void => focus(Math.max(0, Math.min(items.length - 1, index + by)))
  const edit = (item: InboxItem | undefined): void => {
    if (write && item?.editable !== undefined) setEditing(item.id)
  }
  useKeys({
    j: () => move(1),
    ArrowDown: () => move(1),
    k: () => move(-1),
    ArrowUp: () => move(-1),
    a: () => decide(current, 'approve'),
    r: () => decide(current, 'reject'),
    e: () => edit(current),
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
              write={write}
              onSelect={() => setSelected(position)}
              onApprove={() => decide(item, 'approve')}
              onReject={() => decide(item, 'reject')}
              onEdit={() => edit(item)}
              onSave={(content) => decide(item, 'edit', { content })}
              onCancel={() => setEditing(undefined)}
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
