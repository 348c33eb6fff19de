/** Chooses whose home is shown. */
import { useEffect, useState } from 'preact/hooks'
import { get, type Owner, owner } from '../state/api.ts'

interface Owners {
  readonly owners: readonly Owner[]
  readonly total: number
}

const keyOf = ({ user, tenant }: Owner): string => JSON.stringify([tenant ?? null, user])

const labelOf = ({ user, tenant }: Owner): string => (tenant === undefined ? user : `${user} · ${tenant}`)

const MAX_SHOWN = 200

export const OwnerPicker = () => {
  const [query, setQuery] = useState('')
  const [found, setFound] = useState<Owners>({ owners: [], total: 0 })
  useEffect(() => {
    const stop = new AbortController()
    get<Owners>('owners', { query, limit: MAX_SHOWN }, stop.signal).then(
      (next) => {
        setFound(next)
        owner.value ??= next.owners[0]
      },
      () => {},
    )
    return () => stop.abort()
  }, [query])
  const current = owner.value
  const listed = current && !found.owners.some((each) => keyOf(each) === keyOf(current)) ? [current, ...found.owners] : found.owners
  return (
    <div class="owner">
      <label class="choice">
        Person
        <select
          value={current ? keyOf(current) : ''}
          onChange={(event) => {
            owner.value = listed.find((each) => keyOf(each) === event.currentTarget.value)
          }}
        >
          {listed.map((each) => (
            <option key={keyOf(each)} value={keyOf(each)}>
              {labelOf(each)}
            </option>
          ))}
        </select>
      </label>
      {found.total > MAX_SHOWN || query !== '' ? (
        <label class="search">
          <span class="unseen">Search people</span>
          <input
            type="search"
            placeholder={`Search ${found.total} people`}
            value={query}
            onInput={(event) => setQuery(event.currentTarget.value)}
          />
        </label>
      ) : null}
    </div>
  )
}
