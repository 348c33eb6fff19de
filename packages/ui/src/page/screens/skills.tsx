/** The skills: how much each is used, its state, and its history. */
import { useState } from 'preact/hooks'
import type { ChartedSkillRow, SkillsView } from '../../api/views.ts'
import { endOfDay } from '../clock.ts'
import { DayBars } from '../parts/day-bars.tsx'
import { formatCount } from '../parts/format.ts'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { Empty, Failure, When } from '../parts/small-parts.tsx'
import { go, hashOf, route } from '../state/route.ts'
import { useData } from '../state/use-data.ts'
import { SkillCard } from './skill-card.tsx'
import { Upkeep } from './upkeep.tsx'

const PAGE = 100
const FILTERS = ['all', 'active', 'stale', 'pinned', 'shared'] as const
const SORTS = [
  ['uses', 'most used'],
  ['recent', 'last used'],
  ['new', 'newest'],
  ['name', 'by name'],
] as const

const Bar = ({ value, most }: { readonly value: number; readonly most: number }) => (
  <svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect width={most === 0 ? 0 : Math.max(value === 0 ? 0 : 2, (value / most) * 100)} height="6" rx="1" />
  </svg>
)

const Row = ({ row, most }: { readonly row: ChartedSkillRow; readonly most: number }) => (
  <tr>
    <th scope="row">
      <a href={hashOf('skills', { name: row.path })}>{row.name}</a>
      <span class="quiet">{row.description}</span>
    </th>
    <td class="number">
      {formatCount(row.useCount)}
      <Bar value={row.useCount} most={most} />
    </td>
    <td class="daily">{row.shared ? '' : <DayBars daily={row.daily} />}</td>
    <td>{row.shared ? '' : <When at={row.lastUsedAt} />}</td>
    <td>
      <span class={`tag state-${row.state}`}>{row.shared ? 'shared' : row.state}</span>
      {row.pinned ? <span class="tag">pinned</span> : null}
    </td>
  </tr>
)

interface ListProps {
  readonly view: SkillsView
  readonly onMore: () => void
}

const List = ({ view, onMore }: ListProps) => {
  const most = Math.max(0, ...view.rows.map(({ useCount }) => useCount))
  return (
    <>
      <ScrollArea class="scroll" label="Skills">
        <table>
          <thead>
            <tr>
              <th scope="col">Skill</th>
              <th scope="col">Uses</th>
              <th scope="col" class="daily">
                Last 60 days
              </th>
              <th scope="col">Last used</th>
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            {view.rows.map((row) => (
              <Row key={`${row.shared} ${row.path}`} row={row} most={most} />
            ))}
          </tbody>
        </table>
      </ScrollArea>
      {view.total > view.rows.length ? (
        <button type="button" onClick={onMore}>
          Show more ({formatCount(view.total - view.rows.length)})
        </button>
      ) : null}
    </>
  )
}

export const Skills = () => {
  const [query, setQuery] = useState('')
  const [sort, setSort] = useState('uses')
  const [only, setOnly] = useState('all')
  const [limit, setLimit] = useState(PAGE)
  const { data, error } = useData<SkillsView>('skills', { query, sort, only, limit, now: endOfDay() })
  const asked = route.value.params['name']
  if (!data) return <Failure message={error} />
  return (
    <>
      <header class="head">
        <h1>
          Skills <span class="number">{formatCount(data.counts.all)}</span>
        </h1>
        <label class="search">
          <span class="unseen">Search the skills</span>
          <input type="search" placeholder="Search the skills" value={query} onInput={(event) => setQuery(event.currentTarget.value)} />
        </label>
        <label class="choice">
          Order
          <select value={sort} onChange={(event) => setSort(event.currentTarget.value)}>
            {SORTS.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
      </header>
      <Failure message={error} />
      {asked === undefined ? null : <SkillCard name={asked} onClose={() => go('skills')} />}
      <fieldset class="filters">
        <legend class="unseen">Show</legend>
        {FILTERS.map((filter) => (
          <label key={filter}>
            <input type="radio" name="only" checked={only === filter} onChange={() => setOnly(filter)} />
            {filter} <span class="number">{formatCount(data.counts[filter])}</span>
          </label>
        ))}
      </fieldset>
      {data.problems.map((problem) => (
        <Failure key={problem} message={problem} />
      ))}
      {data.rows.length === 0 ? <Empty>{data.counts.all === 0 ? 'The agent has no skills yet.' : 'No skill matches.'}</Empty> : null}
      {data.rows.length > 0 ? <List view={data} onMore={() => setLimit(limit + PAGE)} /> : null}
      <Upkeep />
    </>
  )
}
