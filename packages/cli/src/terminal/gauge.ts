/** Shows how full a store is: `▓▓░░░░░░░░ 12%  264/2,200`. */

const CELLS = 10

/** Separates thousands by commas, in every locale. */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

/** `1 entry`, `3 entries`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${formatCount(count)} ${count === 1 ? one : many}`

/** Whole per cent, rounded down as in the agent's view of the store, at most 100. */
export const percentFull = (used: number, limit: number): number => (limit <= 0 ? 0 : Math.min(100, Math.trunc((used / limit) * 100)))

/** Any use shows at least one cell; only a full store shows a full bar. */
export const gauge = (used: number, limit: number): string => {
  const percent = percentFull(used, limit)
  const filled = used === 0 ? 0 : Math.max(1, Math.floor((percent * CELLS) / 100))
  return `${'▓'.repeat(filled)}${'░'.repeat(CELLS - filled)} ${String(percent).padStart(3)}%  ${formatCount(used)}/${formatCount(limit)}`
}
