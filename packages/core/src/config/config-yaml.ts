/** YAML 1.1, as Python Hermes reads it, with the line of every key: only the mappings asked for are looked at, whatever else the file holds. */
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type YAMLMap } from 'yaml'
import { parseBoundedYaml, type YamlLimits } from '../shared/bounded-yaml.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'

export interface ConfigEntry {
  readonly key: string
  /** A piece of data; `{}` and `[]` stand for a mapping and a list, `undefined` for a reference to nothing. */
  readonly value: unknown
  /** Counted from 1; what `<<` brings in stands where the `<<` does. */
  readonly line: number
  /** The same key stands above in the same mapping, and this one counts. */
  readonly isRepeated: boolean
  /** The entries of a mapping; `undefined` where it is none. */
  readonly entries: () => readonly ConfigEntry[] | undefined
}

/** Beyond the longest file that a person keeps by hand; the whole of it is read at once, so more would hold up the host. */
const LIMITS: YamlLimits = { maxChars: 262_144, maxTokens: 12_000 }

interface Place {
  readonly document: Document
  readonly lines: LineCounter
  /** Mappings that are being merged, so that one that merges itself comes to an end. */
  readonly merging: readonly YAMLMap[]
  readonly mergedAt?: number
}

const resolveNode = (node: unknown, { document }: Place): unknown => (isAlias(node) ? node.resolve(document) : node)

const toData = (node: unknown): unknown => {
  if (isScalar(node)) return node.value
  if (isMap(node)) return {}
  if (isSeq(node)) return []
  return node === null ? null : undefined
}

const isMergeKey = (key: unknown): boolean => key === '<<' || (typeof key === 'symbol' && key.description === '<<')

/** Of several the first wins. */
const mergedEntries = (node: unknown, place: Place): readonly ConfigEntry[] => {
  const sources = isSeq(node) ? node.items.map((item) => resolveNode(item, place)) : [node]
  return sources.filter((source) => isMap(source)).flatMap((source) => (place.merging.includes(source) ? [] : entriesOf(source, place)))
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
      const brought = mergedEntries(node, { ...place, merging: [...place.merging, map], mergedAt: line })
      for (const entry of brought) if (!merged.has(entry.key)) merged.set(entry.key, entry)
      continue
    }
    const name = String(key.value)
    const entries = () => (isMap(node) ? entriesOf(node, place) : undefined)
    own.set(name, { key: name, value: value === null ? null : toData(node), line, isRepeated: own.has(name), entries })
  }
  return [...[...merged.values()].filter(({ key }) => !own.has(key)), ...own.values()]
}

const noYaml = (line: number, why: string, cause?: unknown): HermesError =>
  new HermesError('invalid', `config.yaml, line ${line}: ${why}. Correct it, or take it out.`, {
    cause,
    details: { path: 'config.yaml', problems: [{ line, key: '', message: why }] },
  })

/** The entries of the file; none where it is empty. `invalid` where it is not YAML, or holds something else than `key: value` lines. */
export const readConfigYaml = (text: string): Result<readonly ConfigEntry[]> => {
  const lines = new LineCounter()
  try {
    // Python Hermes takes the last of two equal keys; a home that works there must work here.
    const parsed = parseBoundedYaml(text, LIMITS, { version: '1.1', lineCounter: lines, logLevel: 'error', uniqueKeys: false })
    if (!parsed.ok) return err(noYaml(1, `it is not read, because ${parsed.error.message}`, parsed.error))
    const document = parsed.value
    const [fault] = document.errors
    if (fault) return err(noYaml(lines.linePos(fault.pos[0]).line, `it is not YAML (${fault.message})`, fault))
    const { contents } = document
    if (contents === null || (isScalar(contents) && contents.value === null)) return ok([])
    if (!isMap(contents)) return err(noYaml(1, "it holds no 'key: value' lines"))
    return ok(entriesOf(contents, { document, lines, merging: [] }))
  } catch (cause) {
    return err(noYaml(1, `it cannot be read as YAML (${cause instanceof Error ? cause.message : String(cause)})`, cause))
  }
}
