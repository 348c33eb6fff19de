/** The lines that a change of a text removes and adds. */

/** What is equal at the beginning and at the end is left out. */
export const changedLines = (before: string, after: string): readonly string[] => {
  const [old, fresh] = [before, after].map((text) => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)))
  if (!old || !fresh) return []
  let same = 0
  while (same < Math.min(old.length, fresh.length) && old[same] === fresh[same]) same++
  let end = 0
  while (end < Math.min(old.length, fresh.length) - same && old.at(-1 - end) === fresh.at(-1 - end)) end++
  const between = (lines: readonly string[]) => lines.slice(same, lines.length - end)
  return [...between(old).map((line) => `- ${line}`), ...between(fresh).map((line) => `+ ${line}`)]
}
