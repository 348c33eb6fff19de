/** What really changes between two texts, line by line, without what both begin and end with. */
export interface ChangedLines {
  readonly gone: readonly string[]
  readonly come: readonly string[]
}

export const changedLines = (before: string, after: string): ChangedLines => {
  const [old, next] = [before.split('\n'), after.split('\n')]
  const most = Math.min(old.length, next.length)
  let same = 0
  while (same < most && old[same] === next[same]) same++
  let sameAtEnd = 0
  while (sameAtEnd < most - same && old.at(-1 - sameAtEnd) === next.at(-1 - sameAtEnd)) sameAtEnd++
  return { gone: old.slice(same, old.length - sameAtEnd), come: next.slice(same, next.length - sameAtEnd) }
}
