/** What a path below `/memories` stands for. There are only these places, whatever the path contains. Pure. */
import { memoryFileName } from '../../memory/memory-document.ts'
import { MEMORY_TARGETS, type MemoryTarget } from '../../memory/memory-op.ts'

export const ROOT = '/memories'
export const SKILLS_FOLDER = `${ROOT}/skills`

export type FilePlace =
  | { readonly kind: 'root' }
  | { readonly kind: 'store'; readonly target: MemoryTarget }
  | { readonly kind: 'skills' }
  | { readonly kind: 'skill'; readonly name: string }
  | { readonly kind: 'skill-file'; readonly name: string; readonly filePath: string }
  /** Below `/memories`, where nothing is kept. */
  | { readonly kind: 'nowhere' }
  /** Not below `/memories`. */
  | { readonly kind: 'outside' }

const NAMES: ReadonlyMap<string, MemoryTarget> = new Map([
  ['MEMORY.md', 'memory'],
  ['USER.md', 'user'],
  ['PROJECT.md', 'project'],
])

export const fileOf = (target: MemoryTarget): string =>
  `${ROOT}/${[...NAMES].find(([, each]) => each === target)?.[0] ?? memoryFileName(target)}`

export const skillFolder = (name: string): string => `${SKILLS_FOLDER}/${name}`

/** `targets`: the stores that there are. */
export const placeOf = (path: string, targets: readonly MemoryTarget[] = MEMORY_TARGETS): FilePlace => {
  const [empty, root, ...below] = path.replace(/\/$/, '').split('/')
  const isPlain = below.every((name) => name !== '' && name !== '.' && name !== '..')
  if (empty !== '' || root !== ROOT.slice(1) || !isPlain) return { kind: 'outside' }
  const [first, name, ...rest] = below
  if (first === undefined) return { kind: 'root' }
  const target = NAMES.get(first)
  if (name === undefined && target !== undefined && targets.includes(target)) return { kind: 'store', target }
  if (first !== 'skills') return { kind: 'nowhere' }
  if (name === undefined) return { kind: 'skills' }
  return rest.length === 0 ? { kind: 'skill', name } : { kind: 'skill-file', name, filePath: rest.join('/') }
}
