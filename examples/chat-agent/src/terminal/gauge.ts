/** How full a store is, at a glance: `memory ▓▓░░░░░░░░ 12% 264/2,200`. */

const CELLS = 10

/** Whole per cent, cut as in the snapshot's header, never above 100. */
const percentFull = (used: number, limit: number): number => (limit <= 0 ? 0 : Math.min(100, Math.trunc((used / limit) * 100)))

/** Any use shows at least one cell; a full bar means full. */
export const gauge = (label: string, used: number, limit: number): string => {
  const percent = percentFull(used, limit)
  const filled = used === 0 ? 0 : Math.max(1, Math.floor((percent * CELLS) / 100))
  const bar = '▓'.repeat(filled) + '░'.repeat(CELLS - filled)
  return `${label} ${bar} ${percent}% ${used.toLocaleString('en-US')}/${limit.toLocaleString('en-US')}`
}
