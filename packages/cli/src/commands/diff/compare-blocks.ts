/** What one frozen text has gained and lost against another, entry by entry and skill by skill. Pure. */
import { type Item, PARTS, type Part, readBlock } from './read-block.ts'

export interface Change {
  readonly part: Part
  readonly kind: 'gained' | 'lost' | 'changed'
  /** The text of an entry, the name of a skill. */
  readonly what: string
  /** For `changed`: the entry before, or the description of a skill before. */
  readonly before?: string
  /** The description of a skill. */
  readonly text?: string
  readonly outside: boolean
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])

/** Share of the words that both have, of all words of the shorter one. */
const likeness = (one: string, other: string): number => {
  const [a, b] = [wordsOf(one), wordsOf(other)]
  const shared = [...a].filter((word) => b.has(word)).length
  return shared / Math.max(1, Math.min(a.size, b.size))
}

/** From half of the words on, an entry counts as a new wording of another. */
const SAME_FROM = 0.5

const changeOf = (kind: Change['kind'], { part, key, text, outside }: Item, before?: string): Change => ({
  part,
  kind,
  what: key,
  ...(before === undefined ? {} : { before }),
  ...(part === 'skill' ? { text } : {}),
  outside,
})

const isEntry = (part: Part): boolean => part === 'memory' || part === 'user'

const comparePart = (part: Part, older: readonly Item[], newer: readonly Item[]): readonly Change[] => {
  const of = (items: readonly Item[]): ReadonlyMap<string, Item> =>
    new Map(items.filter((item) => item.part === part).map((item) => [item.key, item]))
  const [before, after] = [of(older), of(newer)]
  const gained = [...after.values()].filter(({ key }) => !before.has(key))
  const lost = new Set([...before.values()].filter(({ key }) => !after.has(key)))
  const changes: Change[] = []
  for (const item of after.values()) {
    const same = before.get(item.key)
    if (same && (same.text !== item.text || same.outside !== item.outside)) changes.push(changeOf('changed', item, same.text))
  }
  for (const item of gained) {
    const [closest] = isEntry(part) ? [...lost].toSorted((a, b) => likeness(b.text, item.text) - likeness(a.text, item.text)) : []
    const isNewWording = closest !== undefined && likeness(closest.text, item.text) >= SAME_FROM
    if (isNewWording) lost.delete(closest)
    changes.push(isNewWording ? changeOf('changed', item, closest.text) : changeOf('gained', item))
  }
  return [...changes, ...[...lost].map((item) => changeOf('lost', item))]
}

/** In the order of the text. */
export const compareBlocks = (older: string, newer: string): readonly Change[] => {
  const [before, after] = [readBlock(older), readBlock(newer)]
  return PARTS.flatMap((part) => comparePart(part, before, after))
}
