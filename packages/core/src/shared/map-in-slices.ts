/** Works through a long list in slices, so that the event loop is never held for its whole length. */
import { pause } from './pause.ts'

const SLICE = 256

/** The results of `map`, called with slices of at most 256 items, in order. Other work may run in between. */
export const mapInSlices = async <Item, Made>(
  items: readonly Item[],
  map: (slice: readonly Item[]) => readonly Made[] | Promise<readonly Made[]>,
): Promise<readonly Made[]> => {
  if (items.length <= SLICE) return map(items)
  const made: Made[] = []
  for (let start = 0; start < items.length; start += SLICE) {
    for (const each of await map(items.slice(start, start + SLICE))) made.push(each)
    await pause()
  }
  return made
}
