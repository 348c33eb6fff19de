/** Reads YAML 1.1 as Python Hermes does, with the line of every key. Mappings are read lazily, so that foreign parts of the file are ignored. */
import { type Alias, type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, type Node, visit, type YAMLMap } from 'yaml'
import { parseBoundedYaml, type YamlLimits } from '../shared/bounded-yaml.ts'
import { HermesError, messageOf } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'

/** One item of a list. `value` is as in `ConfigEntry`. */
interface ConfigItem {
  readonly value: unknown
  /** Counted from 1. */
  readonly line: number
}

export interface ConfigEntry {
  readonly key: string
  /** A scalar; `{}` for a mapping, `[]` for a list, `undefined` for an unresolved alias. */
  readonly value: unknown
  /** Counted from 1. Merged entries have the line of their `<<`. */
  readonly line: number
  /** True if the mapping has the same key earlier; this entry overrides it. */
  readonly isRepeated: boolean
  /** The entries of a mapping; `undefined` for any other value. */
  readonly entries: () => readonly ConfigEntry[] | undefined
  /** The items of a list; `undefined` for any other value. */
  readonly items: () => readonly ConfigItem[] | undefined
  /** The value with everything below it as plain data. Throws a RangeError beyond the values that are left. */
  readonly plain: (reading: PlainReading) => unknown
}

/** More than any file written by hand. Parsing does not pause, so a larger file would block the event loop. */
const LIMITS: YamlLimits = { maxChars: 262_144, maxTokens: 12_000 }

/** Maximum number of mappings merged by `<<`, nested ones included, because a few lines can expand exponentially. */
const MAX_MERGES = 100

/** Of one mapping that is passed on, because a few aliases can expand exponentially. */
const MAX_PLAIN_VALUES = 1_000

interface Place {
  /** The target of each alias. */
  readonly targets: ReadonlyMap<Alias, Node>
  readonly lines: LineCounter
  /** Mappings that are being merged, to stop at a mapping that merges itself. */
  readonly merging: readonly YAMLMap[]
  readonly mergedAt?: number
}

/** An alias refers to the last anchor of its name before it. */
const targetsOf = (document: Document): ReadonlyMap<Alias, Node> => {
  const named = new Map<string, Node>()
  const targets = new Map<Alias, Node>()
  visit(document, {
    Node: (_, node) => {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) named.set(node.anchor, node)
        return
      }
      const target = named.get(node.source)
      if (target) targets.set(node, target)
    },
  })
  return targets
}

const resolveNode = (node: unknown, { targets }: Pick<Place, 'targets'>): unknown => (isAlias(node) ? targets.get(node) : node)

const toData = (node: unknown): unknown => {
  if (isScalar(node)) return node.value
  if (isMap(node)) return {}
  if (isSeq(node)) return []
  return node === null ? null : undefined
}

const isMergeKey = (key: unknown): boolean => key === '<<' || (typeof key === 'symbol' && key.description === '<<')

/** The mappings that a `<<` merges. */
const sourcesOf = (value: unknown, place: Pick<Place, 'targets'>): readonly YAMLMap[] => {
  const node = resolveNode(value, place)
  const sources = isSeq(node) ? node.items.map((item) => resolveNode(item, place)) : [node]
  return sources.filter((source) => isMap(source))
}

/** The largest number of mappings that one mapping merges, directly and indirectly. Visits each mapping once. */
const mostMerges = (document: Document, targets: Place['targets']): number => {
  const known = new Map<YAMLMap, number>()
  const mergesOf = (map: YAMLMap): number => {
    const before = known.get(map)
    if (before !== undefined) return before
    // Ends the recursion for a mapping that merges itself.
    known.set(map, 0)
    const sources = map.items.flatMap(({ key, value }) => (isScalar(key) && isMergeKey(key.value) ? sourcesOf(value, { targets }) : []))
    const count = sources.reduce((sum, source) => sum + 1 + mergesOf(source), 0)
    known.set(map, count)
    return count
  }
  visit(document, { Map: (_, map) => void mergesOf(map) })
  return Math.max(0, ...known.values())
}

/** If several sources have the same key, the first wins. */
const mergedEntries = (sources: readonly YAMLMap[], place: Place): readonly ConfigEntry[] => {
  return sources.flatMap((source) => (place.merging.includes(source) ? [] : entriesOf(source, place)))
}

/** `line`: the line of the key, used for items without a position. */
const itemsOf = (items: readonly unknown[], place: Place, line: number): readonly ConfigItem[] =>
  items.map((item) => {
    const node = resolveNode(item, place)
    const start = isNode(item) ? item.range?.[0] : undefined
    return { value: toData(node), line: place.mergedAt ?? (start === undefined ? line : place.lines.linePos(start).line) }
  })

interface PlainReading {
  /** How many more values may be read. */
  left: number
  /** Each mapping is read once, however many aliases refer to it. */
  readonly known: Map<YAMLMap, readonly ConfigEntry[]>
}

/** Throws a RangeError beyond the values that are left, which a mapping that contains itself also reaches. */
const toPlain = (value: unknown, place: Place, reading: PlainReading): unknown => {
  if (--reading.left < 0) throw new RangeError('too many values')
  const node = resolveNode(value, place)
  if (isSeq(node)) return node.items.map((item) => toPlain(item, place, reading))
  if (!isMap(node)) return toData(node)
  const entries = reading.known.get(node) ?? entriesOf(node, place)
  reading.known.set(node, entries)
  return Object.fromEntries(entries.map((entry) => [entry.key, entry.plain(reading)]))
}

/** Own keys win over merged ones. */
const entriesOf = (map: YAMLMap, place: Place): readonly ConfigEntry[] => {
  const own = new Map<string, ConfigEntry>()
  const merged = new Map<string, ConfigEntry>()
  for (const { key, value } of map.items) {
    if (!isScalar(key)) continue
    const line = place.mergedAt ?? place.lines.linePos(key.range?.[0] ?? 0).line
    const node = resolveNode(value, place)
    if (isMergeKey(key.value)) {
      const brought = mergedEntries(sourcesOf(value, place), { ...place, merging: [...place.merging, map], mergedAt: line })
      for (const entry of brought) if (!merged.has(entry.key)) merged.set(entry.key, entry)
      continue
    }
    const name = String(key.value)
    const entries = () => (isMap(node) ? entriesOf(node, place) : undefined)
    const items = () => (isSeq(node) ? itemsOf(node.items, place, line) : undefined)
    const plain = (reading: PlainReading) => toPlain(value, place, reading)
    own.set(name, { key: name, value: value === null ? null : toData(node), line, isRepeated: own.has(name), entries, items, plain })
  }
  return [...[...merged.values()].filter(({ key }) => !own.has(key)), ...own.values()]
}

const noYaml = (line: number, why: string, cause?: unknown): HermesError =>
  new HermesError('invalid', `config.yaml, line ${line}: ${why}. Correct or remove it.`, {
    cause,
    details: { path: 'config.yaml', problems: [{ line, key: '', message: why }] },
  })

/** A mapping with everything below it as plain data; `undefined` if it has more than 1,000 values or contains itself. */
export const plainData = (entry: ConfigEntry): unknown => {
  try {
    return entry.plain({ left: MAX_PLAIN_VALUES, known: new Map() })
  } catch (cause) {
    if (cause instanceof RangeError) return undefined
    throw cause
  }
}

/** The entries of the file; empty for an empty file. Fails with `invalid` if the text is not YAML or not a mapping. */
export const readConfigYaml = (text: string): Result<readonly ConfigEntry[]> => {
  const lines = new LineCounter()
  try {
    // Python Hermes uses the last of two equal keys, so they must not be an error.
    const parsed = parseBoundedYaml(text, LIMITS, { version: '1.1', lineCounter: lines, logLevel: 'error', uniqueKeys: false })
    if (!parsed.ok) return err(noYaml(1, `it is not read, because ${parsed.error.message}`, parsed.error))
    const document = parsed.value
    const [fault] = document.errors
    if (fault) return err(noYaml(lines.linePos(fault.pos[0]).line, `it is not YAML (${fault.message})`, fault))
    const { contents } = document
    if (contents === null || (isScalar(contents) && contents.value === null)) return ok([])
    if (!isMap(contents)) return err(noYaml(1, "it holds no 'key: value' lines"))
    const targets = targetsOf(document)
    if (mostMerges(document, targets) > MAX_MERGES) return err(noYaml(1, `it merges more than ${MAX_MERGES} mappings with <<`))
    return ok(entriesOf(contents, { targets, lines, merging: [] }))
  } catch (cause) {
    return err(noYaml(1, `it cannot be read as YAML (${messageOf(cause)})`, cause))
  }
}
