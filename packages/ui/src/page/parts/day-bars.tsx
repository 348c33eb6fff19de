/** Uses on each of the last days as a row of small bars, and in words. */
import { formatCount, plural } from './format.ts'

const HEIGHT = 12

export const DayBars = ({ daily }: { readonly daily: readonly number[] }) => {
  const most = Math.max(1, ...daily)
  const total = daily.reduce((sum, uses) => sum + uses, 0)
  const used = daily.filter((uses) => uses > 0).length
  if (total === 0) return <span class="quiet">none</span>
  const words = `${plural(total, 'use')} on ${formatCount(used)} of the last ${formatCount(daily.length)} days, at most ${formatCount(most)} a day`
  return (
    <svg class="day-bars" viewBox={`0 0 ${daily.length} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={words}>
      <title>{words}</title>
      {daily.map((uses, day) => {
        const height = uses === 0 ? 0.5 : Math.max(2, (uses / most) * HEIGHT)
        return <rect key={day} class={uses === 0 ? 'no-use' : undefined} x={day} y={HEIGHT - height} width={0.8} height={height} />
      })}
    </svg>
  )
}
