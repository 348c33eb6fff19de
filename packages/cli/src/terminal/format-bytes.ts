/** Formats sizes: `940 B`, `12 KB`, `3.4 MB`. */

const UNITS = ['B', 'KB', 'MB', 'GB'] as const

export const formatBytes = (bytes: number): string => {
  const power = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `${power > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`
}
